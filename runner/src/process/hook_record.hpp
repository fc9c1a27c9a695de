// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "process/descriptor.hpp"
#include "process/private_folder.hpp"
#include "process/record_contents.hpp"

#include <allocgate/hook_record.h>

#include <filesystem>

namespace allocgate {

/// The arena into which the hooks of one measurement write (hooks/include/allocgate/hook_record.h). Made at its full
/// size, so that no measured program can meet a full disk; alone in a private folder; removed with this object. One
/// thread.
class HookRecord {
public:
  struct Options {
    RecordLayout layout{ALLOCGATE_RECORD_DEFAULT_BLOCKS, ALLOCGATE_RECORD_DEFAULT_PROCESSES,
                        ALLOCGATE_RECORD_DEFAULT_WINDOWS, ALLOCGATE_RECORD_DEFAULT_EXECUTIONS};
    bool usable_sizes = true;
    bool follow_children = true;
  };

  /// In a private folder. Throws Error (3) that names the folder, the reason and ALLOCGATE_RECORD_DIR: no folder is
  /// writable, no space is left.
  explicit HookRecord(const Options& options);

  /// The record itself: the value of ALLOCGATE_RECORD.
  [[nodiscard]] std::filesystem::path path() const { return folder() / "record"; }
  /// Private to this measurement, for what else it needs: links to libraries, reports.
  [[nodiscard]] const std::filesystem::path& folder() const { return m_folder.path(); }

  /// What is in it now; processes that still run may add to it. Throws Error (3) when it cannot be read.
  [[nodiscard]] RecordContents read() const;

private:
  RecordLayout m_layout;
  PrivateFolder m_folder;
  Descriptor m_file;
};

}  // namespace allocgate
