// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/baseline.hpp"
#include "model/result.hpp"
#include "model/verdict.hpp"

#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// How `make_baseline` is to treat what it would refuse, and what it takes over.
struct MakeBaselineOptions {
  std::vector<std::string> accepted;   // by name, WORKLOAD or WORKLOAD:MEASURE: blind, leaking, unstable values
  std::vector<std::string> workloads;  // names or globs; empty: all of the suite. Others keep their entries
  std::vector<std::string> measures;   // kept beside those that are always kept: advisory ones, counters of programs
  bool remove_missing = false;         // entries without a result go, instead of staying
  std::optional<Threshold> threshold;  // written into every updated series (`baseline update --threshold`)
};

/// One value that is not what it was. A new one has no `before`, a removed one no `after`; a whole workload that came
/// or went has an empty `measure`.
struct BaselineChange {
  std::string workload;
  std::string measure;
  std::optional<Count> before;
  std::optional<Count> after;
  std::optional<Slope> slope_before;
  std::optional<Slope> slope_after;
  std::string sentence;
};

/// Why a value was not taken over; its old entry, if there is one, stays.
struct BaselineRefusal {
  std::string workload;
  std::string measure;                     // empty: the whole workload
  std::string sentence;                    // what is wrong and by which name to accept it
  VerdictKind kind = VerdictKind::failed;  // failed, blind, missing, leak, unstable or not_comparable
};

struct MadeBaseline {
  Baseline baseline;
  std::vector<BaselineChange> changes;
  std::vector<BaselineRefusal> refusals;
  std::size_t unchanged = 0;  // values that stay as they are: their date, commit and reason stay too
};

/// The baseline of `suite` from `result`, upon `existing` if there is one: what people set by hand (thresholds,
/// accepted leaks) stays. Refused unless named in `options.accepted`: workloads that failed (never accepted) or are
/// blind, counts of zero where there was one, growth of live_allocations, and series that are less exact than the
/// workload declares.
MadeBaseline make_baseline(const std::optional<Baseline>& existing, const Result& result, const std::string& suite,
                           const std::string& reason, const std::string& commit, const std::string& time,
                           const MakeBaselineOptions& options);

}  // namespace allocgate
