// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/threshold.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

TEST(Threshold, ReadsAsARule) {
  EXPECT_EQ(describe(Threshold{}), "no increase");
  EXPECT_EQ(describe(Threshold{{}, 1000, {}}), "at most 1 % more");
  EXPECT_EQ(describe(Threshold{{}, 1500, {}}), "at most 1.5 % more");
  EXPECT_EQ(describe(Threshold{{}, {}, 5000}), "at most 5 000 more");
  EXPECT_EQ(describe(Threshold{{}, 1, 5}), "at most 0.001 % or 5 more");
  EXPECT_EQ(describe(Threshold{Threshold::Range{10, 2000}, {}, {}}), "from 10 to 2 000");
  Threshold each;
  each.per_iteration_thousandths = 500;
  EXPECT_EQ(describe(each), "at most 0.5 more an iteration");
  each.per_iteration_thousandths = 0;
  EXPECT_EQ(describe(each), "no increase an iteration");
  Threshold most;
  most.maximum = 7000;
  EXPECT_EQ(describe(most), "at most 7 000");
  Threshold most_each;
  most_each.maximum_per_iteration_thousandths = 2250;
  EXPECT_EQ(describe(most_each), "at most 2.25 an iteration");
}

TEST(Threshold, ARuleNamesItsSource) {
  EXPECT_EQ(describe(ThresholdRule{}), "no increase (default)");
  EXPECT_EQ(describe(ThresholdRule{"", "allocations", {{}, 1000, {}}, ThresholdSource::command_line}),
            "allocations: at most 1 % more (command line)");
  EXPECT_EQ(describe(ThresholdRule{"asio/*", "allocations", {{}, {}, 2}, ThresholdSource::baseline}),
            "asio/* allocations: at most 2 more (baseline)");
  EXPECT_EQ(describe(ThresholdRule{"asio/*", "", {}, ThresholdSource::configuration}),
            "asio/*: no increase (configuration)");
}

}  // namespace
}  // namespace allocgate
