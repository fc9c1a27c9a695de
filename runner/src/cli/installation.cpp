// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/installation.hpp"

#include "base/error.hpp"
#include "process/executable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include <unistd.h>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

constexpr const char* k_hooks_variable = "ALLOCGATE_HOOKS";

std::string hooks_override() {
  const char* value = std::getenv(k_hooks_variable);
  return value == nullptr ? std::string() : value;
}

fs::path if_exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) ? path : fs::path();
}

}  // namespace

fs::path installation_prefix() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path() : self.parent_path().parent_path();
}

fs::path expected_hooks(const fs::path& prefix, const std::string& override_path) {
  return override_path.empty() ? prefix / "lib/allocgate/liballocgate_hooks.so" : fs::path(override_path);
}

Installation locate_installation(const fs::path& prefix, const std::string& override_path) {
  Installation installation;
  installation.hooks = if_exists(expected_hooks(prefix, override_path));
  installation.forwarder = if_exists(prefix / "lib/allocgate/liballocgate_benchmark_window.so");
  installation.suite = if_exists(prefix / "lib/allocgate/suite");
  installation.schema = if_exists(prefix / "share/allocgate/schema");
  return installation;
}

Installation own_installation() {
  return locate_installation(installation_prefix(), hooks_override());
}

void require_hooks(const Installation& installation) {
  const std::string named = hooks_override();
  const std::string source = named.empty() ? "" : fmt::format(" ({})", k_hooks_variable);
  const std::string remedy = fmt::format(
      "build the target allocgate_hooks, install allocgate as a whole, or let {} name the library", k_hooks_variable);
  if (installation.hooks.empty()) {
    const std::string tried = expected_hooks(installation_prefix(), named).string();
    throw Error(ExitCode::not_measured,
                fmt::format("cannot count: the hooks library is not there: tried '{}'{}; {}", tried, source, remedy));
  }
  // The loader would only warn, in every program that is started.
  if (!is_loadable(installation.hooks)) {
    throw Error(ExitCode::not_measured,
                fmt::format("cannot count: '{}'{} is no shared library of this machine, so no program can load it; {}",
                            installation.hooks.string(), source, remedy));
  }
}

std::vector<fs::path> suite_programs(const Installation& installation) {
  std::vector<fs::path> programs;
  std::error_code error;
  if (installation.suite.empty()) {
    return programs;
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(installation.suite, error)) {
    if (entry.is_regular_file(error) && ::access(entry.path().c_str(), X_OK) == 0) {
      programs.push_back(entry.path());
    }
  }
  std::sort(programs.begin(), programs.end());
  return programs;
}

std::vector<LeftOutSuite> left_out_suites(const Installation& installation) {
  std::vector<LeftOutSuite> left_out;
  std::ifstream file(installation.suite.parent_path() / "suite_left_out.txt");
  LeftOutSuite suite;
  while (std::getline(file, suite.name, '\t') && std::getline(file, suite.package)) {
    left_out.push_back(suite);
  }
  return left_out;
}

fs::path installed_baselines() {
  return installation_prefix() / "share/allocgate/baselines";
}

}  // namespace allocgate
