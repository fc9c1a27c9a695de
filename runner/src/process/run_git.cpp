// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/run_git.hpp"

#include "process/environment.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace allocgate {

GitAnswer run_git(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                  const Environment& environment, Launcher& launcher, std::chrono::milliseconds timeout) {
  LaunchSpec spec;
  spec.argv = {"git", "--no-optional-locks"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.environment = environment.entries();
  spec.working_directory = folder;
  spec.keep_standard_output = true;
  spec.timeout = timeout;
  const LaunchOutcome outcome = launcher.launch(spec);
  GitAnswer answer;
  switch (outcome.kind) {
    case LaunchOutcome::Kind::exited:
      answer.exit_code = outcome.exit_code;
      answer.ok = outcome.exit_code == 0;
      answer.reason = answer.ok ? "" : outcome.last_lines;
      break;
    case LaunchOutcome::Kind::timed_out:
      answer.reason = fmt::format("it did not end within {} s", timeout.count() / 1000);
      break;
    case LaunchOutcome::Kind::signalled:
      answer.reason = fmt::format("it was ended by signal {}", outcome.signal);
      break;
    case LaunchOutcome::Kind::not_found:
    case LaunchOutcome::Kind::not_executable:
      answer.installed = false;
      answer.reason = outcome.reason;
      break;
  }
  answer.output = outcome.standard_output;
  const std::size_t end = answer.output.find_last_not_of('\n');
  answer.text = answer.output.substr(0, end == std::string::npos ? 0 : end + 1);
  return answer;
}

GitAnswer run_git(const std::vector<std::string>& arguments, const std::filesystem::path& folder, Launcher& launcher,
                  std::chrono::milliseconds timeout) {
  return run_git(arguments, folder, Environment::inherited(), launcher, timeout);
}

void forget_repository(Environment& environment) {
  constexpr auto k_local_variables = std::to_array<std::string_view>(
      {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
       "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_NO_REPLACE_OBJECTS",
       "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_INTERNAL_SUPER_PREFIX"});
  for (const std::string_view name : k_local_variables) {
    environment.unset(name);
  }
}

}  // namespace allocgate
