// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/build_options.hpp"

#include "cli/option_helpers.hpp"
#include "cli/revision_workloads.hpp"

#include <CLI/CLI.hpp>

namespace allocgate {

void BuildOptions::setup(CLI::App& app) {
  app.add_option("--build", build, "The shell line that builds a revision, at its root (default: the configuration's)")
      ->type_name("CMD");
  app.add_option("--worktrees", worktrees, "Where revisions are built (default: a folder of the user's cache)")
      ->type_name("DIR");
  app.add_flag("--measure-again", measure_again, "Build and measure also what is remembered of a commit");
  add_seconds(app, "--build-timeout", build_timeout_seconds, "Seconds after which a build is ended (default: none)");
}

bool BuildOptions::any() const {
  return !build.empty() || !worktrees.empty() || measure_again || build_timeout_seconds > 0;
}

BuildPlan BuildOptions::plan(const LoadedConfiguration& configuration, const std::string& option) const {
  BuildPlan plan;
  plan.build = build_line(build, configuration, option);
  plan.worktrees = worktrees;
  plan.timeout = timeout_of(build_timeout_seconds);
  plan.measure_again = measure_again;
  return plan;
}

std::vector<std::string> BuildOptions::as_arguments() const {
  std::vector<std::string> words;
  append_option(words, "--build", build);
  append_option(words, "--worktrees", worktrees);
  return words;
}

}  // namespace allocgate
