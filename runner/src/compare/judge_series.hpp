// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "compare/judge.hpp"

#include <optional>
#include <string>

// The verdict of one series. judge() goes over all of them; this is its inner part.
namespace allocgate {

/// A series and what it is to be judged by.
struct SeriesCase {
  const WorkloadResult& workload;
  const std::string& measure;
  const Series& series;
  const BaselineWorkload* entry = nullptr;  // of the workload; none for a new one
  bool comparable = true;                   // false: the baseline's value is shown and not judged
  const JudgeOptions& options;
  /// The test of this series among all, once all are known; a change that it calls chance is none.
  std::optional<RankTest> rank_test = std::nullopt;
};

/// With `rank_test` in the verdict where the series can be tested: then it is judged a second time, with all tests
/// adjusted to each other.
Verdict judge_series(const SeriesCase& series_case);

/// The verdict of a series that the baseline has and the result has not; nothing where it is not gated.
std::optional<Verdict> judge_missing_series(const WorkloadResult& workload, const std::string& measure,
                                            const BaselineWorkload& entry, const JudgeOptions& options);

}  // namespace allocgate
