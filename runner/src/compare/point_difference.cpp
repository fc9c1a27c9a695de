// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/point_difference.hpp"

#include "compare/rank_test.hpp"
#include "compare/rules.hpp"

#include <algorithm>

namespace allocgate {

namespace {

constexpr double k_level = 0.01;

bool is_exact(const MeasuredValue& value) {
  return value.series_class == SeriesClass::exact;
}

std::uint64_t processes_of(const MeasuredValue& value) {
  std::uint64_t processes = 0;
  for (const Sample& sample : value.samples) {
    processes += sample.times;
  }
  return processes;
}

bool are_apart(const MeasuredValue& left, const MeasuredValue& right) {
  return left.samples.back().value < right.samples.front().value ||
         right.samples.back().value < left.samples.front().value;
}

}  // namespace

PointDifference difference_between(const MeasuredValue& before, const MeasuredValue& after,
                                   const std::optional<Threshold>& threshold, std::uint64_t most_processes) {
  const bool exact = is_exact(before) && is_exact(after);
  const Threshold rule =
      threshold ? *threshold : built_in_rule(exact ? SeriesClass::exact : SeriesClass::noisy, std::nullopt).threshold;
  const Change change = change_under(rule, before.better, Observed{before.value, before.iterations, before.slope},
                                     Observed{after.value, after.iterations, after.slope});
  if (change == Change::within) {
    return PointDifference::same;
  }
  if (exact || before.samples.empty() || after.samples.empty() || are_apart(before, after)) {
    return PointDifference::different;
  }
  const std::optional<RankTest> test = rank_test(before.samples, after.samples);
  if (test && test->p <= k_level) {
    return PointDifference::different;
  }
  return std::min(processes_of(before), processes_of(after)) < most_processes ? PointDifference::unclear
                                                                              : PointDifference::same;
}

}  // namespace allocgate
