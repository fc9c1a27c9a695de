// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/merge_results.hpp"

#include "base/error.hpp"
#include "example_documents.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

TEST(MergeWorkload, KeepsAnExactSeriesThatRepeats) {
  WorkloadResult first = example_workload("w", {{"allocations", linear_series(2, 1, 10)}});
  merge_workload(first, first);
  const Series& series = first.measures.at("allocations");
  EXPECT_EQ(series.series_class, SeriesClass::exact);
  ASSERT_EQ(series.samples.size(), 1U);
  EXPECT_EQ(series.samples.front().times, 6U);
  EXPECT_TRUE(series.slope);
  EXPECT_EQ(series.linear, true);
}

TEST(MergeWorkload, IsExactNoMoreWhereTheSecondDiffers) {
  WorkloadResult first = example_workload("w", {{"allocations", linear_series(200, 1, 10)}});
  merge_workload(first, example_workload("w", {{"allocations", linear_series(100, 1, 10)}}));
  const Series& series = first.measures.at("allocations");
  EXPECT_EQ(series.series_class, SeriesClass::noisy);
  EXPECT_EQ(series.min, 1001);
  EXPECT_EQ(series.max, 2001);
  EXPECT_EQ(series.median, 1001) << "the lower median is a value that was seen";
  EXPECT_EQ(series.linear, false);
  EXPECT_FALSE(series.slope);
}

TEST(MergeWorkload, BelievesGrowthThatShowsTwice) {
  Series growing = linear_series(1, 0, 10);
  growing.growth = 20;
  Series still = linear_series(1, 0, 10);
  still.growth = 0;
  WorkloadResult first = example_workload("w", {{"live_allocations", growing}});
  merge_workload(first, example_workload("w", {{"live_allocations", still}}));
  EXPECT_EQ(first.measures.at("live_allocations").growth, 0);
}

TEST(MergeWorkload, AFailureWins) {
  WorkloadResult first = example_workload("w", {{"allocations", exact_series(1)}});
  WorkloadResult failed = example_workload("w", {});
  failed.status = WorkloadStatus::timeout;
  failed.error = "it hung";
  merge_workload(first, failed);
  EXPECT_EQ(first.status, WorkloadStatus::timeout);
  EXPECT_EQ(first.error, "it hung");
}

TEST(MergeWorkload, RefusesOtherIterations) {
  WorkloadResult first = example_workload("w", {{"allocations", exact_series(1)}});
  WorkloadResult other = first;
  other.iterations = 20;
  EXPECT_THROW(merge_workload(first, other), Error);
}

TEST(MergeResults, JoinsWorkloadsAndRefusesOtherTestbeds) {
  const std::vector<std::string> names = {"a.json", "b.json"};
  std::vector<Result> results = {result_with({example_workload("a", {{"allocations", exact_series(1)}})}),
                                 result_with({example_workload("b", {{"allocations", exact_series(2)}})})};
  EXPECT_EQ(merge_results(results, names).workloads.size(), 2U);
  results.back().testbed.fields["libc"] = "glibc 2.37";
  EXPECT_THROW(merge_results(results, names), Error);
}

TEST(MergeRepeats, TellsHowFarTheirMediansAreApart) {
  const auto result = [](Count low, Count middle, Count high) {
    return result_with(
        {example_workload("w", {{"allocations", exact_series(7)},
                                {"page_faults", spread_series(SeriesClass::noisy, low, middle, high)}})});
  };
  const std::vector<Result> repeats = {result(1, 40, 90), result(2, 55, 80), result(3, 50, 70)};
  const std::vector<std::string> names = {"a", "b", "c"};
  const Result merged = merge_repeats(repeats, names);
  ASSERT_EQ(merged.workloads.size(), 1U);
  const auto& measures = merged.workloads[0].measures;
  EXPECT_EQ(measures.at("allocations").repeat_spread, 0);
  EXPECT_EQ(measures.at("page_faults").repeat_spread, 15);
  EXPECT_EQ(measures.at("page_faults").samples.size(), 9U);
}

TEST(MergeWorkload, TakesThePercentileOfAllProcesses) {
  Series first = spread_series(SeriesClass::noisy, 1, 2, 3);
  first.p90 = 3;
  Series second = spread_series(SeriesClass::noisy, 10, 20, 30);
  second.p90 = 30;
  WorkloadResult workload = example_workload("w", {{"wall_time_ns", first}});
  merge_workload(workload, example_workload("w", {{"wall_time_ns", second}}));
  EXPECT_EQ(workload.measures.at("wall_time_ns").p90, 30);
}

}  // namespace
}  // namespace allocgate
