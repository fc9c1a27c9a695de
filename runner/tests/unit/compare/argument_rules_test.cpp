// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/argument_rules.hpp"

#include "compare/judge.hpp"
#include "example_documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Result family(const std::vector<std::pair<Count, Count>>& values, const std::string& statement = "size") {
  std::vector<WorkloadResult> workloads;
  for (const auto& [size, value] : values) {
    workloads.push_back(example_workload(
        "f/size:" + std::to_string(size),
        {{"allocations", linear_series(value, 0, 10)}, {"allocated_bytes", linear_series(size, 0, 10)}}));
    if (!statement.empty()) {
      workloads.back().does_not_depend_on = {statement};
    }
  }
  return result_with(std::move(workloads));
}

std::vector<Verdict> judged(const Result& result, const std::vector<ArgumentRule>& rules = {}) {
  std::vector<std::string> notes;
  return judge_argument_rules(result, rules, notes);
}

TEST(ArgumentRules, HoldWhereTheValuesAreTheSame) {
  const std::vector<Verdict> verdicts = judged(family({{1, 5}, {64, 5}}));
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].kind, VerdictKind::unchanged);
  EXPECT_EQ(verdicts[0].code, ExitCode::fine);
  EXPECT_EQ(verdicts[0].workload, "f/size:*");
  EXPECT_EQ(verdicts[0].suite, "suite");
}

TEST(ArgumentRules, AreBrokenByOneAllocation) {
  const std::vector<Verdict> verdicts = judged(family({{1, 5}, {2, 5}, {64, 6}}));
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].kind, VerdictKind::regression);
  EXPECT_EQ(verdicts[0].code, ExitCode::regression);
  EXPECT_EQ(verdicts[0].argument, "size");
  EXPECT_EQ(
      verdicts[0].sentence,
      "f/size:* allocations: regression: it is said not to depend on size, and does: 5 at size = 2, 6 at size = 64");
}

TEST(ArgumentRules, SayHowItDependsWhereThatIsKnown) {
  EXPECT_THAT(judged(family({{1, 5}, {2, 6}, {3, 7}})).at(0).sentence,
              HasSubstr("5 at size = 1, 6 at size = 2 (4 + 1 per size)"));
}

TEST(ArgumentRules, MayNameAnotherMeasure) {
  const std::vector<Verdict> verdicts = judged(family({{1, 5}, {2, 5}}, "allocated_bytes:size"));
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].measure, "allocated_bytes");
  EXPECT_EQ(verdicts[0].code, ExitCode::regression);
}

TEST(ArgumentRules, OfAnArgumentThatIsNotThereFail) {
  const std::vector<Verdict> verdicts = judged(family({{1, 5}}, "sice"));
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].kind, VerdictKind::failed);
  EXPECT_EQ(verdicts[0].code, ExitCode::not_measured);
  EXPECT_THAT(verdicts[0].sentence, HasSubstr("did you mean size?"));
}

TEST(ArgumentRules, AreANoteWithOneValue) {
  std::vector<std::string> notes;
  EXPECT_THAT(judge_argument_rules(family({{1, 5}}), {}, notes), IsEmpty());
  EXPECT_THAT(notes, ElementsAre(HasSubstr("fewer than two values")));
}

TEST(ArgumentRules, NeedExactValuesUnlessAnotherGateIsDeclared) {
  Result result = family({{1, 5}, {2, 5}});
  result.workloads[1].measures["allocations"].series_class = SeriesClass::noisy;
  EXPECT_EQ(judged(result).at(0).code, ExitCode::not_measured);
  EXPECT_EQ(judged(result).at(0).kind, VerdictKind::unstable);
  for (WorkloadResult& workload : result.workloads) {
    workload.gate = Gate::percent;
  }
  EXPECT_EQ(judged(result).at(0).code, ExitCode::fine);
}

TEST(ArgumentRules, ComeFromElsewhereToo) {
  const Result result = family({{1, 5}, {2, 6}}, "");
  EXPECT_THAT(judged(result), IsEmpty());
  EXPECT_EQ(judged(result, {{"f/*", "size"}}).at(0).code, ExitCode::regression);
  EXPECT_THAT(judged(result, {{"g/*", "size"}}), IsEmpty());
  EXPECT_EQ(judged(result, {{"", "size"}}).size(), 1U);
  EXPECT_THAT(judged(result, {{"", "depth"}}), IsEmpty());
}

TEST(ArgumentRules, MakeCheckFail) {
  JudgeOptions options;
  options.allow_missing_baseline = true;
  EXPECT_EQ(judge(family({{1, 5}, {2, 5}}), {}, options).exit_code, ExitCode::fine);
  EXPECT_EQ(judge(family({{1, 5}, {2, 6}}), {}, options).exit_code, ExitCode::regression);
}

}  // namespace
}  // namespace allocgate
