// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/comparison_report.hpp"

#include "example_documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(ComparisonReport, ShowsValuesPerIterationAndTheChange) {
  EXPECT_EQ(comparison_report(full_comparison(), {}, Style(), 80),
            "workload   measure      a.json  b.json  change\n"
            "asio/ping  allocations       1       2      +1  +100.0 %\n"
            "\n"
            "family  measure      each is             a.json   b.json\n"
            "f/*     allocations  argument 1  2.5 + 0.5 each  no line\n"
            "\n"
            "testbed: kernel is '6.1' in the first and '6.2' in the last\n"
            "note: noop is not in b.json\n"
            "0 of 1 series the same\n");
}

TEST(ComparisonReport, ShowsTotalsWhenAsked) {
  ComparisonView view;
  view.totals = true;
  EXPECT_THAT(comparison_report(full_comparison(), view, Style(), 80),
              HasSubstr("asio/ping  allocations      10      20     +10  +100.0 %\n"));
}

TEST(ComparisonReport, CountsWhatIsTheSameInsteadOfShowingIt) {
  Comparison comparison = full_comparison();
  comparison.rows.front().same = true;
  const std::string text = comparison_report(comparison, {}, Style(), 80);
  EXPECT_THAT(text, Not(HasSubstr("asio/ping")));
  EXPECT_THAT(text, HasSubstr("1 of 1 series the same and not shown (--all shows them)"));
}

TEST(ComparisonReport, LeavesOutARatioToNothing) {
  Comparison comparison = full_comparison();
  comparison.rows.front().cells.front()->value = 0;
  comparison.rows.front().cells.front()->slope = Slope{0, 1};
  EXPECT_THAT(comparison_report(comparison, {}, Style(), 80), Not(HasSubstr("%")));
}

}  // namespace
}  // namespace allocgate
