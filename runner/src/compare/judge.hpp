// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/argument_rule.hpp"
#include "model/baseline.hpp"
#include "model/result.hpp"
#include "model/threshold.hpp"
#include "model/verdict.hpp"
#include "model/waiver.hpp"

#include <string>
#include <vector>

namespace allocgate {

/// What an improvement is: no news, a note, exit 4, or the occasion for a new baseline (see compare/ratchet.hpp).
enum class OnImprovement { ignore, warn, fail, ratchet };

/// How `judge` is to treat what is not a plain number against a number.
struct JudgeOptions {
  std::vector<ThresholdRule> rules;  // from the command line and the configuration; the baseline's are read from it
  OnImprovement on_improvement = OnImprovement::ignore;
  bool strict = false;  // a new workload is `no_baseline`
  bool allow_missing_baseline = false;
  bool warn_not_comparable = false;
  std::vector<ArgumentRule> argument_rules;  // beside what the workloads themselves say
  std::vector<std::string> accepted_blind;   // WORKLOAD or WORKLOAD:MEASURE
  bool partial = false;  // a filter chose workloads: baseline entries outside of `selected` are not missing
  std::vector<std::string> selected;
  bool without_baseline = false;  // only rules that need none are judged, and leaks; no baseline is missed
  std::vector<Waiver> waivers;
  std::string today;  // YYYY-MM-DD: waivers hold until a date
};

/// Judges every series of `result` against `baselines` (one per suite). Pure: no file, no clock, no environment.
/// Fails closed: an empty result, a baseline entry without a result, a failed workload, a count of zero where there was
/// one, are verdicts of their own. Worse is: new - old > max(absolute, percent x old), in integers.
Judgement judge(const Result& result, const std::vector<Baseline>& baselines, const JudgeOptions& options);

}  // namespace allocgate
