// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/threshold_option.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

TEST(ParseThreshold, ReadsPercentagesInIntegers) {
  EXPECT_EQ(parse_threshold("1%").thousandths, 1000);
  EXPECT_EQ(parse_threshold("0.5%").thousandths, 500);
  EXPECT_EQ(parse_threshold("2.125%").thousandths, 2125);
  EXPECT_EQ(parse_threshold("0%").thousandths, 0);
}

TEST(ParseThreshold, ReadsAmountsAndRanges) {
  EXPECT_EQ(parse_threshold("5").absolute, 5);
  const Threshold range = parse_threshold("-3..20");
  ASSERT_TRUE(range.range);
  EXPECT_EQ(range.range->lowest, -3);
  EXPECT_EQ(range.range->highest, 20);
  EXPECT_FALSE(range.absolute);
}

TEST(ParseThreshold, ReadsAmountsPerIterationInThousandths) {
  EXPECT_EQ(parse_threshold("0.5/iteration").per_iteration_thousandths, 500);
  EXPECT_EQ(parse_threshold("3/iteration").per_iteration_thousandths, 3000);
  EXPECT_EQ(parse_threshold("0.001/iteration").per_iteration_thousandths, 1);
  EXPECT_FALSE(parse_threshold("3/iteration").absolute);
}

TEST(ParseThreshold, RefusesWhatItDoesNotUnderstand) {
  for (const char* text : {"",
                           "%",
                           "x",
                           "5x",
                           "-1",
                           "-1%",
                           "1.%",
                           "1.2345%",
                           "1..",
                           "..1",
                           "5..4",
                           "1,5%",
                           "1e3",
                           "9223372036854775808",
                           "9223372036854775807%",
                           " 5",
                           "nan",
                           "inf%",
                           "1%%",
                           "/iteration",
                           "-1/iteration",
                           "0.0001/iteration",
                           "1/iterations",
                           "1%/iteration"}) {
    try {
      parse_threshold(text);
      ADD_FAILURE() << "'" << text << "' was read as a threshold";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::usage);
    }
  }
}

TEST(ParseThresholdRule, KnowsWorkloadAndMeasure) {
  const ThresholdRule everywhere = parse_threshold_rule("allocations=5");
  EXPECT_EQ(everywhere.workload, "");
  EXPECT_EQ(everywhere.measure, "allocations");
  EXPECT_EQ(everywhere.source, ThresholdSource::command_line);
  const ThresholdRule one = parse_threshold_rule("asio/*:allocated_bytes=1%");
  EXPECT_EQ(one.workload, "asio/*");
  EXPECT_EQ(one.measure, "allocated_bytes");
  EXPECT_EQ(parse_threshold_rule("BM_x/iterations:3:allocations=5").workload, "BM_x/iterations:3");
  EXPECT_EQ(parse_threshold_rule("a=b:allocations=5").workload, "a=b");
  EXPECT_EQ(parse_threshold_rule("noop:*=5").measure, "");
}

TEST(ParseMaximumRule, KnowsWorkloadMeasureAndTheUnit) {
  const ThresholdRule total = parse_maximum_rule("parse=5");
  EXPECT_EQ(total.workload, "parse");
  EXPECT_EQ(total.measure, "allocations");
  EXPECT_EQ(total.threshold.maximum, 5);
  EXPECT_EQ(total.source, ThresholdSource::command_line);
  const ThresholdRule each = parse_maximum_rule("asio/*:allocated_bytes=0.5/iteration");
  EXPECT_EQ(each.workload, "asio/*");
  EXPECT_EQ(each.measure, "allocated_bytes");
  EXPECT_EQ(each.threshold.maximum_per_iteration_thousandths, 500);
  EXPECT_EQ(parse_maximum_rule("BM_x/iterations:3=5").workload, "BM_x/iterations:3") << "no measure has that name";
}

TEST(ParseMaximumRule, RefusesWhatItDoesNotUnderstandInItsOwnWords) {
  for (const char* text : {"parse", "=5", "", "parse=", "parse=x", "parse=5%", "parse=1..2", "parse=1.5"}) {
    try {
      parse_maximum_rule(text);
      ADD_FAILURE() << "'" << text << "' was read as a maximum";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::usage);
      EXPECT_EQ(std::string(error.what()).find("threshold"), std::string::npos) << error.what();
    }
  }
}

TEST(ParseThresholdRule, RefusesARuleWithoutAValueOrMeasure) {
  for (const char* text : {"allocations", "=5", "", "allocations="}) {
    EXPECT_THROW(parse_threshold_rule(text), Error) << text;
  }
}

}  // namespace
}  // namespace allocgate
