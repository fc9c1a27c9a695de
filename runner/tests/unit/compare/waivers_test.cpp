// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/waivers.hpp"

#include "example_documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using testing::HasSubstr;

JudgeOptions with_waiver(const Waiver& waiver, std::string today) {
  JudgeOptions options;
  options.waivers = {waiver};
  options.today = std::move(today);
  return options;
}

Judgement regression_under(const JudgeOptions& options) {
  return judge(result_with({example_workload("ping", {{"allocations", exact_series(101)}})}),
               {baseline_with("ping", {{"allocations", exact_measure(100)}})}, options);
}

const Waiver k_waiver = {"ping", "allocations", "2026-11-30", "Ada", "the cache is not ready"};

TEST(Waivers, TakeTheRedUntilTheEndOfTheirLastDay) {
  for (const char* today : {"2025-12-31", "2026-11-29", "2026-11-30"}) {
    const Judgement judgement = regression_under(with_waiver(k_waiver, today));
    EXPECT_EQ(judgement.exit_code, ExitCode::fine) << today;
    ASSERT_EQ(judgement.verdicts.size(), 1u);
    EXPECT_EQ(judgement.verdicts[0].kind, VerdictKind::regression) << "it is still called what it is";
    EXPECT_THAT(judgement.verdicts[0].sentence, HasSubstr("; waived until 2026-11-30 by Ada: the cache is not ready"));
    EXPECT_TRUE(judgement.notes.empty());
  }
}

TEST(Waivers, FailByNameWhenTheirLastDayIsOver) {
  const Judgement judgement = regression_under(with_waiver(k_waiver, "2026-12-01"));
  EXPECT_EQ(judgement.exit_code, ExitCode::regression);
  ASSERT_EQ(judgement.verdicts.size(), 2u);
  EXPECT_EQ(judgement.verdicts[0].code, ExitCode::regression);
  EXPECT_THAT(judgement.verdicts[0].sentence, HasSubstr("its waiver expired on 2026-11-30"));
  EXPECT_EQ(judgement.verdicts[1].kind, VerdictKind::expired_waiver);
  EXPECT_EQ(judgement.verdicts[1].workload, "ping");
  EXPECT_THAT(judgement.verdicts[1].sentence, HasSubstr("ping allocations: expired waiver"));
  EXPECT_THAT(judgement.verdicts[1].sentence, HasSubstr("Ada: the cache is not ready"));
}

TEST(Waivers, AnExpiredOneFailsAlsoWhereNothingIsRedAnyMore) {
  Waiver other = k_waiver;
  other.workload = "gone";
  JudgeOptions options = with_waiver(other, "2026-12-01");
  options.rules = {{"", "", {std::nullopt, std::nullopt, 5}, ThresholdSource::command_line}};
  EXPECT_EQ(regression_under(options).exit_code, ExitCode::regression);
}

TEST(Waivers, WaiveOnlyWhatTheyName) {
  Waiver other = k_waiver;
  other.measure = "allocated_bytes";
  const Judgement judgement = regression_under(with_waiver(other, "2026-11-01"));
  EXPECT_EQ(judgement.exit_code, ExitCode::regression);
  EXPECT_THAT(judgement.notes.at(0),
              HasSubstr("the waiver of ping allocated_bytes until 2026-11-30 (Ada) matches nothing"));
  other = k_waiver;
  other.workload = "pi*";
  other.measure.clear();
  EXPECT_EQ(regression_under(with_waiver(other, "2026-11-01")).exit_code, ExitCode::fine) << "a glob, every measure";
}

TEST(Waivers, OneThatFindsNothingRedIsANote) {
  const Result result = result_with({example_workload("ping", {{"allocations", exact_series(100)}})});
  const Baseline baseline = baseline_with("ping", {{"allocations", exact_measure(100)}});
  const Judgement judgement = judge(result, {baseline}, with_waiver(k_waiver, "2026-11-01"));
  EXPECT_EQ(judgement.exit_code, ExitCode::fine);
  EXPECT_THAT(judgement.notes.at(0), HasSubstr("there is nothing red to waive"));
}

TEST(Waivers, WaiveAWorkloadThatVanishedOrFailed) {
  Waiver whole = k_waiver;
  whole.measure.clear();
  const JudgeOptions options = with_waiver(whole, "2026-11-01");
  const Baseline baseline = baseline_with("ping", {{"allocations", exact_measure(100)}});
  const WorkloadResult other = example_workload("other", {{"allocations", exact_series(1)}});
  EXPECT_EQ(judge(result_with({other}), {baseline}, options).exit_code, ExitCode::fine) << "missing";
  WorkloadResult failed = example_workload("ping", {});
  failed.status = WorkloadStatus::failed;
  failed.error = "ended by SIGSEGV; its last lines:\nconnecting";
  const Judgement judgement = judge(result_with({failed}), {baseline}, options);
  EXPECT_EQ(judgement.exit_code, ExitCode::fine);
  EXPECT_THAT(judgement.verdicts.at(0).sentence, HasSubstr("the cache is not ready\nconnecting"))
      << "before the program's lines";
}

TEST(Waivers, NeverWaiveThatThereIsNoBaselineOrNothingMeasured) {
  Waiver everything = k_waiver;
  everything.workload = "*";
  everything.measure.clear();
  const JudgeOptions options = with_waiver(everything, "2026-11-01");
  EXPECT_EQ(judge(result_with({}), {}, options).exit_code, ExitCode::not_measured);
  EXPECT_EQ(judge(result_with({example_workload("ping", {{"allocations", exact_series(1)}})}), {}, options).exit_code,
            ExitCode::no_baseline);
}

TEST(Waivers, OfWorkloadsThatWereNotSelectedArePassedOver) {
  JudgeOptions options = with_waiver(k_waiver, "2026-12-01");
  options.partial = true;
  options.selected = {"other"};
  const Judgement judgement = judge(result_with({example_workload("other", {{"allocations", exact_series(100)}})}),
                                    {baseline_with("other", {{"allocations", exact_measure(100)}})}, options);
  EXPECT_EQ(judgement.exit_code, ExitCode::fine);
  EXPECT_TRUE(judgement.notes.empty());
}

TEST(Notes, AConfiguredThresholdThatMeansNoWorkloadIsSaid) {
  JudgeOptions options;
  options.rules = {{"pong", "allocations", {std::nullopt, 1000, std::nullopt}, ThresholdSource::configuration},
                   {"pi*", "allocations", {std::nullopt, 1000, std::nullopt}, ThresholdSource::configuration}};
  const Judgement judgement = regression_under(options);
  ASSERT_EQ(judgement.notes.size(), 1u);
  EXPECT_EQ(judgement.notes[0],
            "no workload is meant by the threshold pong allocations: at most 1 % more "
            "(configuration)");
}

TEST(Notes, ImprovementsAreWarnedOfWhereAskedFor) {
  const Result result = result_with({example_workload("ping", {{"allocations", exact_series(99)}})});
  const Baseline baseline = baseline_with("ping", {{"allocations", exact_measure(100)}});
  JudgeOptions options;
  EXPECT_TRUE(judge(result, {baseline}, options).notes.empty());
  options.on_improvement = OnImprovement::warn;
  const Judgement judgement = judge(result, {baseline}, options);
  EXPECT_THAT(judgement.notes.at(0), HasSubstr("`allocgate baseline update` takes it over"));
  EXPECT_EQ(judgement.exit_code, ExitCode::fine);
}

}  // namespace
}  // namespace allocgate
