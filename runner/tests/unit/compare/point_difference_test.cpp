// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/point_difference.hpp"

#include "model/series.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>

namespace allocgate {
namespace {

constexpr std::uint64_t k_most = 30;

MeasuredValue seen(std::initializer_list<Sample> samples) {
  MeasuredValue value;
  value.samples = samples;
  value.value = lower_median(value.samples);
  value.series_class = class_of(value.samples);
  return value;
}

PointDifference between(const MeasuredValue& before, const MeasuredValue& after) {
  return difference_between(before, after, std::nullopt, k_most);
}

TEST(DifferenceBetween, OfExactValuesIsAnyDifference) {
  EXPECT_EQ(between(seen({{1000, 3}}), seen({{1000, 3}})), PointDifference::same);
  EXPECT_EQ(between(seen({{1000, 3}}), seen({{1001, 3}})), PointDifference::different);
  EXPECT_EQ(between(seen({{1001, 3}}), seen({{1000, 3}})), PointDifference::different) << "in either direction";
  EXPECT_EQ(between(seen({{0, 3}}), seen({{1, 3}})), PointDifference::different);
}

TEST(DifferenceBetween, AllowsWhatAThresholdAllows) {
  Threshold threshold;
  threshold.absolute = 5;
  EXPECT_EQ(difference_between(seen({{100, 3}}), seen({{105, 3}}), threshold, k_most), PointDifference::same);
  EXPECT_EQ(difference_between(seen({{100, 3}}), seen({{106, 3}}), threshold, k_most), PointDifference::different);
  EXPECT_EQ(difference_between(seen({{106, 3}}), seen({{100, 3}}), threshold, k_most), PointDifference::different);
}

TEST(DifferenceBetween, OfNoisyValuesThatNeverMeetIsClear) {
  EXPECT_EQ(between(seen({{100, 1}, {120, 1}, {140, 1}}), seen({{200, 1}, {230, 1}, {260, 1}})),
            PointDifference::different);
}

TEST(DifferenceBetween, OfNoisyValuesWithinOnePercentIsNone) {
  EXPECT_EQ(between(seen({{1000, 1}, {1100, 2}}), seen({{1090, 1}, {1105, 2}})), PointDifference::same);
}

TEST(DifferenceBetween, AsksForMoreWhereChanceCannotBeToldApart) {
  EXPECT_EQ(between(seen({{100, 1}, {120, 1}, {180, 1}}), seen({{110, 1}, {150, 1}, {190, 1}})),
            PointDifference::unclear);
}

TEST(DifferenceBetween, BelievesRanksOfManyProcesses) {
  EXPECT_EQ(between(seen({{100, 8}, {120, 2}}), seen({{118, 1}, {130, 9}})), PointDifference::different);
}

TEST(DifferenceBetween, IsChanceWhenEvenTheMostProcessesSaySo) {
  const MeasuredValue low = seen({{100, 16}, {150, 14}});
  const MeasuredValue high = seen({{100, 14}, {150, 16}});
  EXPECT_EQ(between(low, high), PointDifference::same);
  EXPECT_NE(low.value, high.value) << "although the medians differ";
}

}  // namespace
}  // namespace allocgate
