// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/values.hpp"

#include "example_documents.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace allocgate {
namespace {

TEST(RepeatingText, IsTheSlopeOrElseSaysThatItIsATotal) {
  EXPECT_EQ(repeating_text(linear_series(75, 1, 1000)), "75");
  EXPECT_EQ(repeating_text(exact_series(75'001)), "75 001 total");
}

TEST(OnceText, IsEmptyWhereNothingIsLeftOver) {
  EXPECT_EQ(once_text(linear_series(75, 1, 1000)), "+1");
  EXPECT_EQ(once_text(linear_series(75, -8, 1000)), "-8");
  EXPECT_EQ(once_text(linear_series(75, 0, 1000)), "");
  EXPECT_EQ(once_text(exact_series(3)), "");
}

TEST(VerdictDifferenceText, SpeaksPerIterationWhereItCan) {
  Verdict verdict;
  verdict.before = 200;
  verdict.after = 210;
  EXPECT_EQ(verdict_difference_text(verdict), "+10");
  verdict.slope_before = Slope{20, 1};
  verdict.slope_after = Slope{21, 1};
  EXPECT_EQ(verdict_difference_text(verdict), "+1");
  verdict.slope_after = Slope{20, 1};
  EXPECT_EQ(verdict_difference_text(verdict), "+10 once");
  verdict.after = 200;
  EXPECT_EQ(verdict_difference_text(verdict), "0");
  verdict.before.reset();
  EXPECT_EQ(verdict_difference_text(verdict), "");
}

TEST(VerdictDifferenceText, SaysNothingWrongAboutNumbersThatDoNotFit) {
  Verdict verdict;
  verdict.before = std::numeric_limits<Count>::min();
  verdict.after = std::numeric_limits<Count>::max();
  EXPECT_EQ(verdict_difference_text(verdict), "");
}

TEST(MeasuresInOrder, PutsOursFirst) {
  const WorkloadResult workload = example_workload("w", {{"a_counter_of_its_own", exact_series(1)},
                                                         {"deallocations", exact_series(1)},
                                                         {"allocations", exact_series(1)}});
  EXPECT_EQ(measures_in_order(workload),
            (std::vector<std::string>{"allocations", "deallocations", "a_counter_of_its_own"}));
}

TEST(Counted, KnowsOneFromMany) {
  EXPECT_EQ(counted(1, "workload"), "1 workload");
  EXPECT_EQ(counted(0, "workload"), "0 workloads");
  EXPECT_EQ(counted(1200, "value"), "1 200 values");
}

TEST(IndentedLines, KeepsLinesAndDropsControlCharacters) {
  EXPECT_EQ(indented_lines("a\nb\x1b[0m\n", 2), "  a\n  b?[0m\n");
  EXPECT_EQ(indented_lines("", 2), "");
}

}  // namespace
}  // namespace allocgate
