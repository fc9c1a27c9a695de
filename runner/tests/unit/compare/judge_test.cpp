// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/judge.hpp"

#include "example_documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using testing::HasSubstr;

const Verdict* find(const Judgement& judgement, const std::string& workload, const std::string& measure = "") {
  for (const Verdict& verdict : judgement.verdicts) {
    if (verdict.workload == workload && verdict.measure == measure) {
      return &verdict;
    }
  }
  return nullptr;
}

WorkloadResult ping(Count allocations) {
  return example_workload("ping", {{"allocations", exact_series(allocations)}});
}

WorkloadResult with_status(WorkloadStatus status, const std::string& error) {
  WorkloadResult workload = example_workload("ping", {});
  workload.status = status;
  workload.error = error;
  return workload;
}

Baseline ping_baseline() {
  return baseline_with("ping", {{"allocations", exact_measure(100)}});
}

TEST(Judge, NothingChangedIsFine) {
  const Judgement judgement = judge(result_with({ping(100)}), {ping_baseline()}, {});
  EXPECT_EQ(judgement.exit_code, ExitCode::fine);
  EXPECT_EQ(judgement.verdicts.size(), 1u);
  EXPECT_TRUE(judgement.notes.empty());
}

TEST(Judge, NothingMeasuredIsAFailureThatSaysSo) {
  const Judgement judgement = judge(result_with({}), {ping_baseline()}, {});
  EXPECT_EQ(judgement.exit_code, ExitCode::not_measured);
  EXPECT_EQ(judgement.verdicts.at(0).kind, VerdictKind::no_match);
  EXPECT_THAT(judgement.verdicts.at(0).sentence, HasSubstr("nothing was checked"));
}

TEST(Judge, NoBaselineIsFiveUnlessAllowed) {
  JudgeOptions options;
  const Judgement judgement = judge(result_with({ping(100)}), {}, options);
  EXPECT_EQ(judgement.exit_code, ExitCode::no_baseline);
  EXPECT_EQ(judgement.verdicts.at(0).kind, VerdictKind::no_baseline);
  EXPECT_THAT(judgement.verdicts.at(0).sentence, HasSubstr(example_testbed().id));
  EXPECT_THAT(judgement.verdicts.at(0).sentence, HasSubstr("allocgate baseline update"));
  options.allow_missing_baseline = true;
  EXPECT_EQ(judge(result_with({ping(100)}), {}, options).exit_code, ExitCode::fine);
}

TEST(Judge, WithoutABaselineLeaksAndLimitsStillCount) {
  WorkloadResult leaking = ping(100);
  leaking.measures.emplace("live_allocations", linear_series(1, 0, 10));
  JudgeOptions options;
  options.allow_missing_baseline = true;
  EXPECT_EQ(judge(result_with({leaking}), {}, options).exit_code, ExitCode::regression);
  options.rules = {{"", "allocations", {Threshold::Range{0, 99}, {}, {}}, ThresholdSource::command_line}};
  EXPECT_EQ(judge(result_with({ping(100)}), {}, options).exit_code, ExitCode::regression);
  EXPECT_EQ(judge(result_with({ping(99)}), {}, options).exit_code, ExitCode::fine);
}

TEST(Judge, ANewWorkloadIsANoteOrFiveWhenStrict) {
  WorkloadResult other = example_workload("new", {{"allocations", exact_series(1)}});
  JudgeOptions options;
  const Judgement judgement = judge(result_with({ping(100), other}), {ping_baseline()}, options);
  EXPECT_EQ(judgement.exit_code, ExitCode::fine);
  EXPECT_EQ(find(judgement, "new")->kind, VerdictKind::new_workload);
  options.strict = true;
  EXPECT_EQ(judge(result_with({ping(100), other}), {ping_baseline()}, options).exit_code, ExitCode::no_baseline);
}

TEST(Judge, AnEntryWithoutAResultIsAFailure) {
  Baseline baseline = ping_baseline();
  baseline.workloads.emplace("gone", baseline.workloads.at("ping"));
  const Judgement judgement = judge(result_with({ping(100)}), {baseline}, {});
  EXPECT_EQ(judgement.exit_code, ExitCode::not_measured);
  EXPECT_EQ(find(judgement, "gone")->kind, VerdictKind::missing);
}

TEST(Judge, AFilterExcusesOnlyWhatItLeftOut) {
  Baseline baseline = ping_baseline();
  baseline.workloads.emplace("gone", baseline.workloads.at("ping"));
  JudgeOptions options;
  options.partial = true;
  options.selected = {"ping"};
  EXPECT_EQ(judge(result_with({ping(100)}), {baseline}, options).exit_code, ExitCode::fine);
  options.selected = {"ping", "g*"};
  EXPECT_EQ(judge(result_with({ping(100)}), {baseline}, options).exit_code, ExitCode::not_measured);
}

TEST(Judge, AGatedSeriesThatVanishedIsAFailure) {
  Baseline baseline = ping_baseline();
  baseline.workloads.at("ping").measures.emplace("open_fds", exact_measure(0));
  const Judgement judgement = judge(result_with({ping(100)}), {baseline}, {});
  EXPECT_EQ(judgement.exit_code, ExitCode::not_measured);
  EXPECT_EQ(find(judgement, "ping", "open_fds")->kind, VerdictKind::missing);
}

TEST(Judge, FailedWorkloadsAreThreeAndSayWhy) {
  for (const WorkloadStatus status : {WorkloadStatus::failed, WorkloadStatus::timeout}) {
    const Judgement judgement = judge(result_with({with_status(status, "it was killed")}), {ping_baseline()}, {});
    EXPECT_EQ(judgement.exit_code, ExitCode::not_measured);
    EXPECT_EQ(find(judgement, "ping")->kind, VerdictKind::failed);
    EXPECT_THAT(find(judgement, "ping")->sentence, HasSubstr("it was killed"));
    EXPECT_EQ(judgement.verdicts.size(), 1u) << "it is not missing as well";
  }
}

TEST(Judge, AWorkloadWithoutAnyMeasureFailed) {
  EXPECT_EQ(judge(result_with({example_workload("ping", {})}), {ping_baseline()}, {}).exit_code,
            ExitCode::not_measured);
}

TEST(Judge, BlindWorkloadsAreSixUntilAcceptedByName) {
  const Result result = result_with({with_status(WorkloadStatus::blind, "the hooks were not loaded")});
  JudgeOptions options;
  EXPECT_EQ(judge(result, {ping_baseline()}, options).exit_code, ExitCode::blind);
  options.accepted_blind = {"pong"};
  EXPECT_EQ(judge(result, {ping_baseline()}, options).exit_code, ExitCode::blind);
  options.accepted_blind = {"ping"};
  EXPECT_EQ(judge(result, {ping_baseline()}, options).exit_code, ExitCode::fine);
}

TEST(Judge, SeveralAtOnceEndWithTheGravest) {
  Baseline baseline = ping_baseline();
  for (const char* name : {"blind", "failed", "gone"}) {
    baseline.workloads.emplace(name, baseline.workloads.at("ping"));
  }
  WorkloadResult blind = example_workload("blind", {{"allocations", exact_series(0)}});
  WorkloadResult failed = with_status(WorkloadStatus::failed, "no port");
  failed.name = "failed";
  EXPECT_EQ(judge(result_with({ping(100), blind, failed}), {baseline}, {}).exit_code, ExitCode::not_measured);
  EXPECT_EQ(judge(result_with({ping(101), blind, failed}), {baseline}, {}).exit_code, ExitCode::regression);
}

TEST(Judge, SaysNothingOfCoresThatOnlyOneSideHas) {
  Result result = result_with({ping(100)});
  result.testbed.fields["core.of_another_suite"] = "1.0";
  EXPECT_TRUE(judge(result, {ping_baseline()}, {}).notes.empty());
}

struct FieldCase {
  std::string field;
  std::vector<std::string> depends_on;
  bool comparable;
};

class OtherTestbed : public testing::TestWithParam<FieldCase> {};

TEST_P(OtherTestbed, IsComparableUnlessCountsDependOnTheField) {
  const auto& [field, depends_on, comparable] = GetParam();
  WorkloadResult workload = ping(101);
  workload.depends_on = depends_on;
  Result result = result_with({workload});
  result.testbed.fields[field] = "another";
  JudgeOptions options;
  const Judgement judgement = judge(result, {ping_baseline()}, options);
  EXPECT_EQ(judgement.exit_code, comparable ? ExitCode::regression : ExitCode::not_comparable);
  EXPECT_EQ(judgement.notes.size(), comparable ? 1u : 0u);
  if (comparable) {
    EXPECT_THAT(judgement.notes[0], HasSubstr(field));
  } else {
    EXPECT_THAT(find(judgement, "ping")->sentence, HasSubstr("depend on " + field));
    EXPECT_EQ(find(judgement, "ping", "allocations")->before, 100) << "the nearest is shown";
    options.warn_not_comparable = true;
    EXPECT_EQ(judge(result, {ping_baseline()}, options).exit_code, ExitCode::fine);
  }
}

INSTANTIATE_TEST_SUITE_P(Fields, OtherTestbed,
                         testing::Values(FieldCase{"os", {}, false}, FieldCase{"arch", {}, false},
                                         FieldCase{"libc", {}, false}, FieldCase{"stdlib", {}, false},
                                         FieldCase{"core.asio", {}, false},
                                         FieldCase{"core.asio", {"core.beast"}, true}, FieldCase{"compiler", {}, true},
                                         FieldCase{"compiler", {"compiler"}, false}, FieldCase{"kernel", {}, true},
                                         FieldCase{"cpu", {}, true}));

TEST(Judge, EachSuiteHasItsOwnBaseline) {
  WorkloadResult other = ping(7);
  other.suite = "other";
  Baseline others = baseline_with("ping", {{"allocations", exact_measure(7)}});
  others.suite = "other";
  EXPECT_EQ(judge(result_with({ping(100), other}), {ping_baseline(), others}, {}).exit_code, ExitCode::fine);
  EXPECT_EQ(judge(result_with({ping(100), other}), {ping_baseline()}, {}).exit_code, ExitCode::no_baseline);
}

TEST(Judge, SaysTheSameWhateverTheOrderOfWorkloads) {
  const WorkloadResult other = example_workload("another", {{"allocations", exact_series(1)}});
  const Judgement forward = judge(result_with({ping(100), other}), {ping_baseline()}, {});
  const Judgement backward = judge(result_with({other, ping(100)}), {ping_baseline()}, {});
  ASSERT_EQ(forward.verdicts.size(), backward.verdicts.size());
  for (std::size_t index = 0; index < forward.verdicts.size(); ++index) {
    EXPECT_EQ(forward.verdicts[index].sentence, backward.verdicts[index].sentence);
  }
}

}  // namespace
}  // namespace allocgate
