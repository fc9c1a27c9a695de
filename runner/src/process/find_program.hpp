// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

/// Where a command's program is, as a shell finds it.
struct FoundProgram {
  enum class Kind { found, not_found, not_executable };

  Kind kind = Kind::not_found;
  std::filesystem::path path;  // found, not_executable
  std::string reason;          // why not, in the system's words
};

/// Looks for `name`: itself when it holds a slash (relative to `working_directory`, empty: the caller's), else in the
/// folders of `search_path`. A file that may not be executed is passed over for a later one that may.
FoundProgram find_program(const std::string& name, std::string_view search_path,
                          const std::filesystem::path& working_directory = {});

/// The value of NAME in a list of NAME=VALUE, if it is there.
std::optional<std::string> environment_value(const std::vector<std::string>& environment, std::string_view name);

/// What PATH is when the environment has none, as POSIX shells take it.
inline constexpr std::string_view k_default_search_path = "/usr/local/bin:/usr/bin:/bin";

}  // namespace allocgate
