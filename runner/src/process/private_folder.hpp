// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "process/descriptor.hpp"

#include <filesystem>

namespace allocgate {

/// A variable that says where records and what belongs to them are put.
inline constexpr const char* k_record_folder_variable = "ALLOCGATE_RECORD_DIR";

/// A new folder of mode 0700 that is removed with this object, whatever is in it. It is locked meanwhile, so that what
/// a killed runner left is known by being unlocked, and removed by the next one. One thread.
class PrivateFolder {
public:
  /// In ALLOCGATE_RECORD_DIR where that is set, else in the first writable of /dev/shm, XDG_RUNTIME_DIR, TMPDIR, /tmp.
  /// Throws Error (3) that names what was tried, the reasons and the variable.
  PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder();

  /// Absolute.
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
  std::filesystem::path m_path;
  Descriptor m_lock;
};

}  // namespace allocgate
