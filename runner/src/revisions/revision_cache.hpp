// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "revisions/repository.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace allocgate {

/// Everything on which a remembered measurement depends, by name: commit, build command, testbed, hooks ...
using MeasurementKey = std::map<std::string, std::string>;

/// Where the revisions of one repository are checked out and built, and what was measured of them: a folder of the
/// user's cache, which may be removed at any time. Two at once do not harm each other. One thread.
class RevisionCache {
public:
  /// `folder` if given, else a folder of the repository's own in ALLOCGATE_CACHE_DIR, XDG_CACHE_HOME/allocgate or
  /// ~/.cache/allocgate. Throws Error (64) when there is none of them. Nothing is made yet.
  RevisionCache(const Repository& repository, const std::filesystem::path& folder);

  /// Where the work tree called `name` is.
  [[nodiscard]] std::filesystem::path worktree(const std::string& name) const { return m_folder / name; }

  /// The text that was remembered under exactly this key.
  [[nodiscard]] std::optional<std::string> find(const MeasurementKey& key) const;
  /// The file that holds it, for contents that are no text.
  [[nodiscard]] std::optional<std::filesystem::path> find_file(const MeasurementKey& key) const;
  /// Remembers `text`. Throws Error (1) when it cannot be written.
  void remember(const MeasurementKey& key, const std::string& text) const;

private:
  [[nodiscard]] std::filesystem::path entry_of(const std::string& key_text) const;

  std::filesystem::path m_folder;
};

}  // namespace allocgate
