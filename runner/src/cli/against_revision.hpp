// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/build_options.hpp"
#include "cli/judging.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace allocgate {

/// The options of `check` that make a revision the baseline.
struct AgainstRevisionOptions {
  std::string revision;  // empty: no revision is asked for
  BuildOptions build;

  void setup(CLI::App& app);
  /// Throws Error (64) for options without a revision.
  void check() const;
  /// The options as words of a command line.
  [[nodiscard]] std::vector<std::string> as_arguments() const;
};

/// Builds `options.revision` (base) and the work tree as it is (head) in work trees of their own, measures both here
/// and now, and judges head with base as its baseline. What was measured of one commit with the same testbed, hooks,
/// build line and workloads is remembered; nothing red is believed from memory. Says on `streams.err` what it builds.
/// Throws Error: 64 no repository, no such revision, nothing to build or to measure in it; 3 one side does not build.
Judged judge_against_revision(const AgainstRevisionOptions& options, const MeasuringOptions& measuring,
                              const LoadedConfiguration& configuration, BaselineSource source,
                              const JudgeOptions& judge_options, const Streams& streams);

}  // namespace allocgate
