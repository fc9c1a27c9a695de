// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/find_benchmarks.hpp"

#include "process/executable.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view k_option_start = "benchmark_counters";
constexpr std::string_view k_option_end = "_tabular";
constexpr std::string_view k_shared_library = "libbenchmark.so";
constexpr std::size_t k_chunk = std::size_t{1} << 20;

bool is_passed_over(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == "CMakeFiles" || (name.size() > 1 && name.front() == '.');
}

bool may_be_executed(const fs::directory_entry& entry) {
  std::error_code error;
  const fs::file_status status = entry.symlink_status(error);
  constexpr fs::perms k_any = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  return fs::is_regular_file(status) && (status.permissions() & k_any) != fs::perms::none;
}

bool holds_option(const fs::path& file) {
  // Put together here, so that this program does not hold the name itself.
  const std::string option = std::string(k_option_start).append(k_option_end);
  std::ifstream stream(file, std::ios::binary);
  std::string window;
  std::string chunk(k_chunk, '\0');
  while (stream) {
    stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    window.append(chunk, 0, static_cast<std::size_t>(stream.gcount()));
    if (window.find(option) != std::string::npos) {
      return true;
    }
    // The name may lie across two chunks.
    window.erase(0, window.size() - std::min(window.size(), option.size() - 1));
  }
  return false;
}

bool is_benchmark_program(const fs::path& file) {
  const ExecutableInfo info = inspect_executable(file);
  const bool is_program = info.kind == ExecutableKind::dynamic_elf && !info.interpreter.empty();
  if (!is_program) {
    return false;
  }
  const bool needs_library = std::any_of(info.needed.begin(), info.needed.end(), [](const std::string& library) {
    return library.starts_with(k_shared_library);
  });
  return needs_library || holds_option(file);
}

}  // namespace

std::vector<fs::path> find_benchmark_programs(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (entry->is_directory(error) && is_passed_over(entry->path())) {
      entry.disable_recursion_pending();
    } else if (may_be_executed(*entry) && is_benchmark_program(entry->path())) {
      found.push_back(entry->path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace allocgate
