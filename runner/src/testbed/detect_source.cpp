// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "testbed/detect_source.hpp"

#include "process/run_git.hpp"

namespace allocgate {

namespace {

std::optional<std::string> git(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                               Launcher& launcher) {
  GitAnswer answer = run_git(arguments, folder, launcher);
  return answer.ok ? std::optional(std::move(answer.text)) : std::nullopt;
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
