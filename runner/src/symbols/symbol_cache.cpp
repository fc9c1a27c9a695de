// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "symbols/symbol_cache.hpp"

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view k_first_line = "allocgate symbols 1 ";  // then the digest of everything after this line
constexpr std::string_view k_file_line = "f ";                     // then the file as it was: size, time, path

std::optional<std::string> state_of(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  const auto time = error ? fs::file_time_type() : fs::last_write_time(file, error);
  if (error || file.string().find('\n') != std::string::npos) {
    return std::nullopt;
  }
  return fmt::format("{} {} {}", size, time.time_since_epoch().count(), file.string());
}

/// The path in what state_of() gave.
fs::path path_in(std::string_view state) {
  state.remove_prefix(std::min(state.find(' ') + 1, state.size()));
  state.remove_prefix(std::min(state.find(' ') + 1, state.size()));
  return std::string(state);
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::optional<std::string> content_of(const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    return std::nullopt;
  }
  try {
    return read_file(file);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

SymbolCache::SymbolCache(fs::path folder) : m_folder(std::move(folder)) {}

bool SymbolCache::read(const std::string& build_id, KnownFrames& known) const {
  const std::optional<std::string> content = content_of(m_folder / build_id);
  if (!content) {
    return false;
  }
  std::string_view rest = *content;
  const std::string_view first = take_line(rest);
  if (first != std::string(k_first_line) + digest_of(rest)) {
    return false;
  }
  while (rest.substr(0, k_file_line.size()) == k_file_line) {
    const std::string_view state = take_line(rest).substr(k_file_line.size());
    if (state_of(path_in(state)) != state) {
      return false;
    }
  }
  return known.read_text(std::string(rest));
}

void SymbolCache::write(const std::string& build_id, std::span<const fs::path> files, const KnownFrames& known) const {
  std::string text;
  for (const fs::path& file : files) {
    const std::optional<std::string> state = state_of(file);
    if (!state) {
      return;
    }
    text += fmt::format("{}{}\n", k_file_line, *state);
  }
  text += known.to_text();
  try {
    write_file_atomically(m_folder / build_id, fmt::format("{}{}\n{}", k_first_line, digest_of(text), text));
  } catch (const Error&) {
    return;  // a full disk or a folder that is not ours: the next run finds the names again
  }
  remove_oldest();
}

void SymbolCache::remove_oldest() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::uintmax_t sum = 0;
  std::error_code error;
  for (auto entry = fs::directory_iterator(m_folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    std::error_code gone;
    const auto size = entry->file_size(gone);
    const auto time = entry->last_write_time(gone);
    if (!gone) {
      sum += size;
      files.emplace_back(time, entry->path());
    }
  }
  std::sort(files.begin(), files.end());
  for (std::size_t i = 0; sum > k_most_bytes && i + 1 < files.size(); ++i) {
    sum -= std::min(sum, fs::file_size(files[i].second, error));
    fs::remove(files[i].second, error);
  }
}

}  // namespace allocgate
