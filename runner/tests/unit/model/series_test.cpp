// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/series.hpp"

#include "model/slope.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace allocgate {
namespace {

constexpr Count k_greatest = std::numeric_limits<Count>::max();
constexpr Count k_smallest = std::numeric_limits<Count>::min();

Series series_of(const std::vector<ProcessPoints>& processes, std::uint64_t iterations,
                 std::string_view measure = "allocations") {
  const auto series = make_series(measure, processes, iterations);
  EXPECT_TRUE(series);
  return series.value_or(Series{});
}

TEST(MakeSeries, PointsOnOneLineHaveASlopeAndASetup) {
  const ProcessPoints process = {{1000, 75'001}, {2000, 150'001}, {3000, 225'001}};
  const Series series = series_of({process, process, process}, 1000);
  EXPECT_EQ(series.series_class, SeriesClass::exact);
  EXPECT_EQ(series.linear, true);
  EXPECT_EQ(series.slope->count, 75);
  EXPECT_EQ(series.slope->iterations, 1u);
  EXPECT_EQ(series.setup, 1);
  EXPECT_EQ(series.median, 75'001);
  ASSERT_EQ(series.samples.size(), 1u);
  EXPECT_EQ(series.samples[0].times, 3u);
  EXPECT_EQ(series.unit, "count");
  EXPECT_EQ(series.better, Better::lower);
  EXPECT_FALSE(series.growth) << "only live_allocations grow";
}

TEST(MakeSeries, OneEventEveryThreeIterations) {
  const Series series = series_of({{{3, 1}, {6, 2}, {9, 3}}}, 3);
  EXPECT_EQ(series.slope->count, 1);
  EXPECT_EQ(series.slope->iterations, 3u);
  EXPECT_EQ(series.setup, 0);
}

TEST(MakeSeries, AVectorThatDoublesIsNotLinear) {
  const Series series = series_of({{{10, 5}, {20, 6}, {30, 6}}}, 10);
  EXPECT_EQ(series.linear, false);
  EXPECT_FALSE(series.slope);
  EXPECT_FALSE(series.setup);
}

TEST(MakeSeries, OnePointMoreOrLessIsSeen) {
  EXPECT_EQ(series_of({{{10, 100}, {20, 200}, {30, 301}}}, 10).linear, false);
  EXPECT_EQ(series_of({{{10, 100}, {20, 199}, {30, 300}}}, 10).linear, false);
  EXPECT_EQ(series_of({{{10, 100}, {20, 200}, {30, 300}}, {{10, 100}, {20, 201}, {30, 300}}}, 10).linear, false);
}

TEST(MakeSeries, TwoCountsProveNoLine) {
  EXPECT_FALSE(series_of({{{1, 5}, {2, 10}}}, 1).linear);
  EXPECT_FALSE(series_of({{{1, 5}}}, 1).linear);
}

TEST(MakeSeries, ALineWithoutAWholeSetupIsNotOne) {
  EXPECT_EQ(series_of({{{1, 0}, {4, 1}, {7, 2}}}, 1).linear, false);
}

TEST(MakeSeries, TheOrderOfWindowsDoesNotMatter) {
  EXPECT_EQ(series_of({{{30, 61}, {10, 21}, {20, 41}}}, 10).setup, 1);
}

TEST(MakeSeries, OtherCountsAreReadFromTheCommonLine) {
  const Series series = series_of({{{1, 3}, {10, 21}, {100, 201}}, {{1, 3}, {11, 23}, {90, 181}}}, 1000);
  EXPECT_EQ(series.median, 2001);
  EXPECT_EQ(series.samples[0].times, 2u);
}

TEST(MakeSeries, WithoutAValueThereIsNoSeries) {
  EXPECT_FALSE(make_series("allocations", std::vector<ProcessPoints>{{{10, 1}, {20, 7}, {30, 8}}}, 5));
  EXPECT_FALSE(make_series("allocations", {}, 1));
  EXPECT_FALSE(make_series("allocations", std::vector<ProcessPoints>{{}}, 1));
}

TEST(MakeSeries, SeveralWindowsOfOneProcessGiveItsLowerMedian) {
  const Series series = series_of({{{10, 9}, {10, 5}, {10, 7}, {10, 6}}}, 10);
  EXPECT_EQ(series.median, 6);
  EXPECT_EQ(series.samples.size(), 1u);
}

TEST(MakeSeries, ADifferentSetupOfOneProcessIsNoCommonLine) {
  const Series series = series_of({{{10, 20}, {20, 40}, {30, 60}}, {{10, 21}, {20, 41}, {30, 61}}}, 10);
  EXPECT_EQ(series.linear, false);
  EXPECT_EQ(series.series_class, SeriesClass::stable);
}

TEST(MakeSeries, AProgramsOwnCounterIsACountWithoutDirection) {
  const Series series = series_of({{{1, 5}}}, 1, "my_counter");
  EXPECT_EQ(series.unit, "count");
  EXPECT_EQ(series.better, Better::neither);
}

TEST(LineThrough, HoldsAtTheEdgeOf64Bits) {
  const std::vector<Point> rising = {{1, k_smallest}, {2, 0}, {3, k_greatest}};
  EXPECT_FALSE(line_through(rising)) << "the last point is one too low";
  constexpr Count k_half = k_greatest / 2;
  const auto steep = line_through(std::vector<Point>{{1, 0}, {2, k_half}, {3, 2 * k_half}});
  ASSERT_TRUE(steep);
  EXPECT_EQ(steep->slope.count, k_half);
  EXPECT_EQ(steep->setup, -k_half);
  EXPECT_FALSE(line_through(std::vector<Point>{{1, k_greatest}, {2, k_greatest - 1}, {3, k_greatest}}));
  const std::vector<Point> level = {{1, k_greatest}, {1u << 31, k_greatest}, {~0ull, k_greatest}};
  ASSERT_TRUE(line_through(level));
  EXPECT_EQ(line_through(level)->slope.count, 0);
  EXPECT_EQ(line_through(level)->setup, k_greatest);
}

TEST(LineThrough, ASetupThatDoesNotFitIsNoLine) {
  EXPECT_FALSE(line_through(std::vector<Point>{{2, k_smallest}, {3, k_smallest + 1}, {4, k_smallest + 2}}));
  EXPECT_TRUE(line_through(std::vector<Point>{{2, k_smallest + 2}, {3, k_smallest + 3}, {4, k_smallest + 4}}));
}

struct ClassCase {
  std::vector<Sample> samples;
  SeriesClass expected;
};

class ClassOf : public testing::TestWithParam<ClassCase> {};

TEST_P(ClassOf, FollowsTheSpread) {
  EXPECT_EQ(class_of(GetParam().samples), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Spreads, ClassOf,
                         testing::Values(ClassCase{{{7, 3}}, SeriesClass::exact},
                                         ClassCase{{{0, 1}, {2, 2}}, SeriesClass::stable},
                                         ClassCase{{{0, 1}, {3, 2}}, SeriesClass::noisy},
                                         ClassCase{{{1000, 2}, {1005, 1}}, SeriesClass::stable},
                                         ClassCase{{{1000, 2}, {1006, 1}}, SeriesClass::noisy},
                                         ClassCase{{{199, 2}, {202, 1}}, SeriesClass::noisy},
                                         ClassCase{{{-1005, 1}, {-1000, 2}}, SeriesClass::stable},
                                         ClassCase{{{k_smallest, 1}, {k_greatest, 1}}, SeriesClass::noisy},
                                         ClassCase{{{k_greatest - 1, 1}, {k_greatest, 1}}, SeriesClass::stable}));

TEST(LowerMedian, IsAlwaysAValueThatWasSeen) {
  EXPECT_EQ(lower_median(std::vector<Sample>{{5, 1}}), 5);
  EXPECT_EQ(lower_median(std::vector<Sample>{{5, 1}, {9, 1}}), 5);
  EXPECT_EQ(lower_median(std::vector<Sample>{{5, 1}, {9, 2}}), 9);
  EXPECT_EQ(lower_median(std::vector<Sample>{{5, 2}, {9, 2}}), 5);
  EXPECT_EQ(lower_median(std::vector<Sample>{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}}), 3);
}

TEST(Growth, IsWhatEveryLongerWindowAdds) {
  EXPECT_EQ(growth_of({{10, 10}, {20, 20}, {30, 30}}), 20);
  EXPECT_EQ(growth_of({{10, 1}, {20, 2}, {30, 30}}), 29) << "not on a line";
  EXPECT_EQ(growth_of({{10, 1}, {20, 1}, {30, 1}}), 0) << "kept once";
  EXPECT_EQ(growth_of({{10, 1}, {20, 3}, {30, 2}}), 0);
  EXPECT_EQ(growth_of({{10, 1}, {20, 1}, {30, 2}}), 0) << "not in every step";
  EXPECT_EQ(growth_of({{10, 3}, {20, 2}, {30, 1}}), 0);
  EXPECT_EQ(growth_of({{10, 1}, {20, 3}}), std::nullopt);
  EXPECT_EQ(growth_of({{1, k_smallest}, {2, 0}, {3, k_greatest}}), k_greatest);
}

TEST(Growth, OfASeriesIsTheLowerMedianOverItsProcesses) {
  const ProcessPoints leaking = {{10, 10}, {20, 20}, {30, 30}};
  const ProcessPoints level = {{10, 10}, {20, 10}, {30, 10}};
  EXPECT_EQ(series_of({leaking, leaking, level}, 10, "live_allocations").growth, 20);
  EXPECT_EQ(series_of({leaking, level, level}, 10, "live_allocations").growth, 0);
}

TEST(Percentile, IsAValueThatWasSeen) {
  std::vector<Sample> tenths;
  for (Count value = 1; value <= 10; ++value) {
    tenths.push_back({value, 1});
  }
  EXPECT_EQ(percentile(tenths, 0), 1);
  EXPECT_EQ(percentile(tenths, 10), 1);
  EXPECT_EQ(percentile(tenths, 11), 2);
  EXPECT_EQ(percentile(tenths, 50), 5);
  EXPECT_EQ(percentile(tenths, 90), 9);
  EXPECT_EQ(percentile(tenths, 91), 10);
  EXPECT_EQ(percentile(tenths, 100), 10);
  const std::vector<Sample> times = {{3, 8}, {70, 1}, {900, 1}};
  EXPECT_EQ(percentile(times, 80), 3);
  EXPECT_EQ(percentile(times, 90), 70);
}

}  // namespace
}  // namespace allocgate
