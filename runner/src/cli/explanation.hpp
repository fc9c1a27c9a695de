// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/against_revision.hpp"
#include "cli/judging.hpp"
#include "stacks/recording.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

// Which code is behind a red verdict: the call stacks before and now, and what they differ in.
namespace allocgate {

/// The call stacks of one workload on both sides; a side that is not there says why, in a sentence without a full stop.
struct StacksOfBoth {
  std::optional<Recording> before;
  std::optional<Recording> now;
  std::string before_missing;
  std::string now_missing;
};

/// The workloads whose red verdicts more or fewer allocations are behind: regressions and leaks.
std::vector<std::string> workloads_to_explain(const Judgement& judgement);

/// Records `names` as they are now; before is what the baselines kept of them.
std::map<std::string, StacksOfBoth> stacks_against_baseline(const std::vector<std::string>& names, const Judged& judged,
                                                            const MeasuringOptions& measuring,
                                                            const LoadedConfiguration& configuration);

/// Builds both sides of --against-rev again, where they are not remembered, and records `names` in each.
std::map<std::string, StacksOfBoth> stacks_against_revision(const std::vector<std::string>& names,
                                                            const AgainstRevisionOptions& options,
                                                            const MeasuringOptions& measuring,
                                                            const LoadedConfiguration& configuration,
                                                            const Streams& streams);

/// Puts the explanation into the gravest verdict of each workload, and the line to look at into all its red ones.
void explain(Judgement& judgement, const std::map<std::string, StacksOfBoth>& stacks);

}  // namespace allocgate
