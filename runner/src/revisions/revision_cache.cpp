// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "revisions/revision_cache.hpp"

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "process/cache_folder.hpp"

#include <fmt/format.h>

#include <system_error>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

fs::path own_folder() {
  if (const auto folder = cache_folder()) {
    return *folder;
  }
  throw Error(ExitCode::usage,
              "no folder for work trees: HOME is not set; name one with --worktrees or ALLOCGATE_CACHE_DIR");
}

constexpr const char* k_content = "content";

/// One line a fact. Line ends in a value are marked, so that no two keys have one text.
std::string text_of(const MeasurementKey& key) {
  std::string text;
  for (const auto& [name, value] : key) {
    text += name + '=';
    for (const char character : value) {
      text += character == '\n'   ? std::string("\\n")
              : character == '\\' ? std::string("\\\\")
                                  : std::string(1, character);
    }
    text += '\n';
  }
  return text;
}

std::optional<std::string> content_of(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    return std::nullopt;
  }
  return read_file(file);
}

}  // namespace

RevisionCache::RevisionCache(const Repository& repository, const fs::path& folder) {
  const fs::path& common = repository.common_folder();
  m_folder = folder.empty()
                 ? own_folder() / fmt::format("{}-{}", repository.top().filename().string(), digest_of(common.string()))
                 : folder;
  std::error_code error;
  m_folder = fs::weakly_canonical(fs::absolute(m_folder, error), error);
}

fs::path RevisionCache::entry_of(const std::string& key_text) const {
  return m_folder / "results" / digest_of(key_text);
}

std::optional<fs::path> RevisionCache::find_file(const MeasurementKey& key) const {
  const std::string text = text_of(key);
  const fs::path entry = entry_of(text);
  // Of two keys with one digest the later is remembered; the other is measured again.
  if (content_of(entry / "key") != text) {
    return std::nullopt;
  }
  return entry / k_content;
}

std::optional<std::string> RevisionCache::find(const MeasurementKey& key) const {
  const std::optional<fs::path> file = find_file(key);
  return file ? content_of(*file) : std::nullopt;
}

void RevisionCache::remember(const MeasurementKey& key, const std::string& text) const {
  const std::string key_text = text_of(key);
  const fs::path entry = entry_of(key_text);
  // The key last: without its own result it must not be found.
  std::error_code ignored;
  fs::remove(entry / "key", ignored);
  write_file_atomically(entry / k_content, text);
  write_file_atomically(entry / "key", key_text);
}

}  // namespace allocgate
