// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "process/launcher.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace allocgate {

class Environment;

/// What git said.
struct GitAnswer {
  bool ok = false;
  bool installed = true;         // false: there is no git
  std::string text;              // standard output without its last line ends
  std::string reason;            // not ok: git's last lines, or why it did not start
  std::string output;            // standard output as it was
  std::optional<int> exit_code;  // where it ended by itself
};

/// Runs git in `folder` (empty: the caller's) with the caller's environment, without taking locks that it can do
/// without, for at most `timeout`. Throws Error (130) when interrupted.
GitAnswer run_git(const std::vector<std::string>& arguments, const std::filesystem::path& folder, Launcher& launcher,
                  std::chrono::milliseconds timeout = std::chrono::seconds(20));

/// The same in another environment.
GitAnswer run_git(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                  const Environment& environment, Launcher& launcher, std::chrono::milliseconds timeout);

/// Takes away what ties git to one repository wherever it runs (GIT_DIR and its like, as `git rev-parse
/// --local-env-vars` lists them): set inside of git's hooks, wrong in another work tree. Configuration stays.
void forget_repository(Environment& environment);

}  // namespace allocgate
