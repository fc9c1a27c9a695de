// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "base/exit_code.hpp"
#include "model/measure.hpp"
#include "model/rank_test.hpp"
#include "model/result.hpp"
#include "model/threshold.hpp"
#include "model/waiver.hpp"

#include <optional>
#include <string>
#include <vector>

namespace allocgate {

enum class VerdictKind {
  unchanged,
  improvement,
  regression,
  leak,
  new_workload,  // measured, not in the baseline
  missing,       // in the baseline, not measured
  blind,
  failed,
  unstable,
  not_comparable,
  not_gated,
  no_baseline,  // the suite has no baseline for this testbed; `workload` is empty
  no_match,     // nothing was measured; `workload` is empty
  expired_waiver,
};

/// The three command lines with which a red verdict ends.
struct NextSteps {
  std::string reproduce;
  std::string explain;
  std::string accept;
};

/// A line of somebody's source.
struct SourcePlace {
  std::string file;  // relative to the root of the project where it is below it
  std::uint32_t line = 0;
  std::string function;  // for people
};

/// The judgement of one series; or of a whole workload, when `measure` is empty. Of a family, whose `workload` is then
/// a glob, when `argument` is there: the workload says that the measure does not depend on it.
struct Verdict {
  VerdictKind kind = VerdictKind::unchanged;
  std::string suite;
  std::string workload;
  std::string measure;
  std::string argument;
  std::optional<Count> before;
  std::optional<Count> after;
  std::optional<Slope> slope_before;
  std::optional<Slope> slope_after;
  std::uint64_t iterations = 1;
  std::optional<ThresholdRule> rule;
  std::optional<RankTest> rank_test;  // of series that are not exact, where both sides keep a value a process
  std::optional<Waiver> waiver;       // why it is not red, or the one that expired
  std::string sentence;               // what happened, for people, one line
  ExitCode code = ExitCode::fine;     // what this verdict alone makes of the run: anything but fine is red
  std::optional<SourcePlace> place;   // the line to look at, once its call stacks were compared
  std::string explanation;            // which call stacks changed, in lines; of one verdict a workload
  std::optional<NextSteps> next;      // of a red one, once the command has said them
};

/// The judgement of a whole result against a baseline.
struct Judgement {
  std::vector<Verdict> verdicts;
  std::vector<std::string> notes;  // e.g. testbed fields that differ and do not matter
  ExitCode exit_code = ExitCode::fine;
};

}  // namespace allocgate
