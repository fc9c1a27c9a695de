// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/find_program.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>

#include <unistd.h>

namespace allocgate {
namespace {

FoundProgram examine(const std::filesystem::path& file) {
  FoundProgram program{FoundProgram::Kind::not_found, file, {}};
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status)) {
    // status() of a missing file reports no error; one that cannot be looked at does.
    program.reason = error && error.value() != ENOENT ? error.message() : std::strerror(ENOENT);
    if (error.value() == EACCES) {
      program.kind = FoundProgram::Kind::not_executable;
    }
    return program;
  }
  program.kind = FoundProgram::Kind::not_executable;
  if (std::filesystem::is_directory(status)) {
    program.reason = std::strerror(EISDIR);
  } else if (::access(file.c_str(), X_OK) != 0) {
    program.reason = std::strerror(errno);
  } else {
    program.kind = FoundProgram::Kind::found;
  }
  return program;
}

}  // namespace

FoundProgram find_program(const std::string& name, std::string_view search_path,
                          const std::filesystem::path& working_directory) {
  if (name.find('/') != std::string::npos) {
    FoundProgram program = examine(working_directory / name);
    // The child changes its folder before it starts the program, so the name must not be prefixed twice.
    program.path = name;
    return program;
  }
  FoundProgram best{FoundProgram::Kind::not_found, name, "no such program in PATH"};
  while (!name.empty()) {
    const std::size_t end = search_path.find(':');
    const std::string_view folder = search_path.substr(0, end);
    FoundProgram candidate = examine(std::filesystem::path(folder.empty() ? "." : folder) / name);
    if (candidate.kind == FoundProgram::Kind::found) {
      return candidate;
    }
    const bool is_folder = candidate.reason == std::strerror(EISDIR);
    if (candidate.kind == FoundProgram::Kind::not_executable && best.kind == FoundProgram::Kind::not_found &&
        !is_folder) {
      best = candidate;
    }
    if (end == std::string_view::npos) {
      break;
    }
    search_path.remove_prefix(end + 1);
  }
  return best;
}

std::optional<std::string> environment_value(const std::vector<std::string>& environment, std::string_view name) {
  for (const std::string& entry : environment) {
    if (entry.size() > name.size() && entry.compare(0, name.size(), name) == 0 && entry[name.size()] == '=') {
      return entry.substr(name.size() + 1);
    }
  }
  return std::nullopt;
}

}  // namespace allocgate
