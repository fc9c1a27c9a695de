// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/configuration.hpp"
#include "cli/revision_measurer.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace allocgate {

/// The options of every command that builds revisions.
struct BuildOptions {
  std::string build;  // a shell line; empty: the configuration's
  std::string worktrees;
  bool measure_again = false;
  double build_timeout_seconds = 0;  // 0: none

  void setup(CLI::App& app);
  /// Whether any of them was given.
  [[nodiscard]] bool any() const;
  /// `option` is named where there is no build line. Throws Error (64).
  [[nodiscard]] BuildPlan plan(const LoadedConfiguration& configuration, const std::string& option) const;
  /// Those as words of a command line that say what is built and where.
  [[nodiscard]] std::vector<std::string> as_arguments() const;
};

}  // namespace allocgate
