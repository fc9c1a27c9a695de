// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/bisection_report.hpp"

#include "example_searches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t k_width = 120;

std::string report(const Bisection& bisection) {
  return bisection_report(bisection, Style(), k_width);
}

TEST(BisectionReport, NamesTheStepAndWhereItMayBeOff) {
  const std::string text = report(full_bisection());
  EXPECT_THAT(text,
              HasSubstr("parse/64: allocations from 3 per iteration to 4 per iteration +2 once, over 200 commits"));
  EXPECT_THAT(text, HasSubstr("+1 per iteration, +2 once"));
  EXPECT_THAT(text, HasSubstr("dddddddddd  2026-01-02  Answer with a copy"));
  EXPECT_THAT(text, HasSubstr("dddddddddd came with the merge eeeeeeeeee."));
  EXPECT_THAT(text, HasSubstr("dddddddddd or one of the 1 commit before it, from cccccccccc \"Break it\" on"));
  EXPECT_THAT(text, HasSubstr("    +1 answer\n"));
  EXPECT_THAT(text, HasSubstr("all that lies between the ends."));
  EXPECT_THAT(text, HasSubstr("9 commits measured, 7 builds, 2 remembered; 1 could not be measured"));
}

TEST(BisectionReport, ShowsTheLineOfABuildThatSaysWhy) {
  Bisection bisection = full_bisection();
  bisection.skipped.front().reason = "'make' failed: it ended with 2\n  | cc -c a.c\n  | a.c:1: error: no\n  | make: 1";
  EXPECT_THAT(report(bisection), HasSubstr("cccccccccc \"Break it\": a.c:1: error: no\n"));
}

TEST(BisectionReport, SaysWhenStepsAreNotAllOfIt) {
  Bisection bisection = full_bisection();
  bisection.bad_value = value_on_line(5, 2);
  EXPECT_THAT(report(bisection), HasSubstr("Together +102 of +202 in all; the rest came in parts that are allowed."));
  bisection.first_only = true;
  EXPECT_THAT(report(bisection), HasSubstr("The first of them"));
}

TEST(BisectionReport, SaysWhenNothingChanged) {
  Bisection bisection = full_bisection();
  bisection.steps.clear();
  EXPECT_THAT(report(bisection), HasSubstr("no commit by more than is allowed"));
  bisection.bad_value = bisection.good_value;
  EXPECT_THAT(report(bisection), HasSubstr("steps that cancel would show with --grid"));
}

TEST(BisectionReport, OfToolchainsSpeaksOfThem) {
  Bisection bisection = full_toolchain_bisection();
  bisection.notes.clear();
  const std::string text = report(bisection);
  EXPECT_THAT(text, HasSubstr("over 200 toolchains"));
  EXPECT_THAT(text, Not(HasSubstr("commit")));
}

TEST(BisectionMarkdown, IsATable) {
  const std::string text = bisection_markdown(full_bisection());
  EXPECT_THAT(text, HasSubstr("| +1 per iteration, +2 once | 3 per iteration |"));
  EXPECT_THAT(text, HasSubstr("```\n+1 answer\n```"));
}

}  // namespace
}  // namespace allocgate
