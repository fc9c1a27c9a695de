// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "symbols/known_frames.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace allocgate {

/// Names that were found before, one file a build id, so that a second recording of the same program need not read its
/// debug data again. It may be removed at any time. Nothing here ever fails: what is not whole, or was found in files
/// that have changed, is as if it were not there, and what cannot be written is not kept. Several runners at once may
/// use it: the last one that writes a file wins.
class SymbolCache {
public:
  /// In `folder`, which need not exist.
  explicit SymbolCache(std::filesystem::path folder);

  /// What is known of the module with that build id, into the empty `known`. False: nothing.
  bool read(const std::string& build_id, KnownFrames& known) const;
  /// Keeps what is known; it was found in `files`. Then removes the oldest files while all together are large.
  void write(const std::string& build_id, std::span<const std::filesystem::path> files, const KnownFrames& known) const;

  /// The size in bytes that all files together may have.
  static constexpr std::uintmax_t k_most_bytes = std::uintmax_t{256} << 20U;

private:
  void remove_oldest() const;

  std::filesystem::path m_folder;
};

}  // namespace allocgate
