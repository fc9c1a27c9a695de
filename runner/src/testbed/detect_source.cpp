// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "testbed/detect_source.hpp"

#include "process/environment.hpp"

#include <chrono>

namespace allocgate {

namespace {

constexpr std::chrono::seconds k_git_timeout{20};

std::optional<std::string> git(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                               Launcher& launcher) {
  LaunchSpec spec;
  spec.argv = {"git", "--no-optional-locks"};
  spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
  spec.environment = Environment::inherited().entries();
  spec.working_directory = folder;
  spec.keep_standard_output = true;
  spec.timeout = k_git_timeout;
  const LaunchOutcome outcome = launcher.launch(spec);
  if (outcome.kind != LaunchOutcome::Kind::exited || outcome.exit_code != 0) {
    return std::nullopt;
  }
  const std::size_t end = outcome.standard_output.find_last_not_of('\n');
  return outcome.standard_output.substr(0, end == std::string::npos ? 0 : end + 1);
}

}  // namespace

std::optional<Source> detect_source(const std::filesystem::path& folder, Launcher& launcher) {
  const std::optional<std::string> commit = git({"rev-parse", "--verify", "-q", "HEAD"}, folder, launcher);
  if (!commit) {
    return std::nullopt;
  }
  Source source;
  source.commit = *commit;
  // A detached HEAD has no branch; then git fails here.
  source.branch = git({"symbolic-ref", "-q", "--short", "HEAD"}, folder, launcher).value_or(std::string());
  source.dirty =
      !git({"status", "--porcelain", "--untracked-files=no"}, folder, launcher).value_or(std::string()).empty();
  return source;
}

}  // namespace allocgate
