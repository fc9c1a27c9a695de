// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "symbols/interval_map.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

TEST(IntervalMap, FindsTheInnermostRange) {
  const IntervalMap map({{10, 50, 0, 0}, {20, 40, 1, 1}, {25, 30, 2, 2}, {60, 70, 0, 3}});
  EXPECT_EQ(map.find(9), IntervalMap::k_nothing);
  EXPECT_EQ(map.find(10), 0u);
  EXPECT_EQ(map.find(20), 1u);
  EXPECT_EQ(map.find(25), 2u);
  EXPECT_EQ(map.find(29), 2u);
  EXPECT_EQ(map.find(30), 1u);
  EXPECT_EQ(map.find(40), 0u);
  EXPECT_EQ(map.find(50), IntervalMap::k_nothing);
  EXPECT_EQ(map.find(69), 3u);
  EXPECT_EQ(map.find(70), IntervalMap::k_nothing);
}

TEST(IntervalMap, TakesTheDeeperOfRangesThatBeginTogether) {
  const IntervalMap map({{10, 20, 2, 2}, {10, 50, 0, 0}, {10, 20, 1, 1}});
  EXPECT_EQ(map.find(10), 2u);
  EXPECT_EQ(map.find(20), 0u);
}

TEST(IntervalMap, KeepsGoingWhereRangesContradictEachOther) {
  const IntervalMap map({{10, 30, 0, 0}, {20, 40, 1, 1}, {25, 25, 0, 2}, {35, 50, 0, 3}});
  EXPECT_EQ(map.find(15), 0u);
  EXPECT_EQ(map.find(25), 1u);
  EXPECT_EQ(map.find(36), 3u);
  EXPECT_EQ(map.find(45), 3u);
  EXPECT_EQ(map.find(50), IntervalMap::k_nothing);
}

TEST(IntervalMap, IsEmptyWithoutRanges) {
  EXPECT_EQ(IntervalMap().find(0), IntervalMap::k_nothing);
}

}  // namespace
}  // namespace allocgate
