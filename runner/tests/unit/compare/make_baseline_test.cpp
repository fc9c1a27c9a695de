// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/make_baseline.hpp"

#include "compare/judge.hpp"
#include "example_documents.hpp"
#include "json/documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

namespace allocgate {
namespace {

using testing::HasSubstr;

MadeBaseline make(const std::optional<Baseline>& existing, const std::vector<WorkloadResult>& workloads,
                  const MakeBaselineOptions& options = {}) {
  return make_baseline(existing, result_with(workloads), "suite", "because", "abc123", "2026-02-02T00:00:00Z", options);
}

WorkloadResult ping(Series allocations) {
  return example_workload("ping", {{"allocations", std::move(allocations)}});
}

Baseline ping_baseline(Count allocations) {
  return baseline_with("ping", {{"allocations", exact_measure(allocations)}});
}

TEST(MakeBaseline, TheFirstOneTakesWhatIsNotAdvisory) {
  WorkloadResult workload = ping(linear_series(20, 1, 10));
  workload.gate = Gate::exact;
  workload.depends_on = {"compiler"};
  workload.measures.emplace("deallocations", exact_series(201));
  workload.measures.emplace("peak_live_bytes", exact_series(1));
  workload.measures.emplace("requests", exact_series(1));
  const MadeBaseline made = make(std::nullopt, {workload});
  EXPECT_TRUE(made.refusals.empty());
  EXPECT_EQ(made.changes.size(), 2u);
  const BaselineWorkload& entry = made.baseline.workloads.at("ping");
  EXPECT_EQ(entry.measures.size(), 2u);
  EXPECT_EQ(entry.measures.at("allocations").value, 201);
  EXPECT_EQ(entry.measures.at("allocations").slope->count, 20);
  EXPECT_TRUE(entry.measures.at("allocations").samples.empty()) << "an exact series has one value";
  EXPECT_EQ(entry.reason, "because");
  EXPECT_EQ(entry.commit, "abc123");
  EXPECT_EQ(entry.gate, Gate::exact);
  EXPECT_EQ(made.baseline.testbed.id, example_testbed().id);
  EXPECT_EQ(made.changes[0].sentence, "ping allocations: new, 201, 20 per iteration");
}

TEST(MakeBaseline, WhatItMakesPassesTheCheck) {
  WorkloadResult workload = ping(spread_series(SeriesClass::stable, 99, 100, 101));
  workload.measures.emplace("live_allocations", exact_series(-3));
  const Result result = result_with({workload});
  const MadeBaseline made = make(std::nullopt, {workload});
  EXPECT_EQ(judge(result, {made.baseline}, {}).exit_code, ExitCode::fine);
  EXPECT_EQ(make(made.baseline, {workload}).changes.size(), 0u);
}

TEST(MakeBaseline, WithoutAChangeNotAByteChanges) {
  const Baseline existing = ping_baseline(100);
  const MadeBaseline made = make(existing, {ping(exact_series(100))});
  EXPECT_EQ(baseline_to_json(made.baseline), baseline_to_json(existing));
  EXPECT_EQ(made.unchanged, 1u);
}

TEST(MakeBaseline, OtherSamplesOfTheSameValueAreNoChange) {
  const MadeBaseline first = make(std::nullopt, {ping(spread_series(SeriesClass::stable, 99, 100, 101))});
  const MadeBaseline second = make(first.baseline, {ping(spread_series(SeriesClass::stable, 98, 100, 100 + 2))});
  EXPECT_EQ(baseline_to_json(second.baseline), baseline_to_json(first.baseline));
}

TEST(MakeBaseline, AChangeSaysOldAndNew) {
  const MadeBaseline made = make(ping_baseline(100), {ping(exact_series(105))});
  ASSERT_EQ(made.changes.size(), 1u);
  EXPECT_EQ(made.changes[0].before, 100);
  EXPECT_EQ(made.changes[0].after, 105);
  EXPECT_EQ(made.changes[0].sentence, "ping allocations: 100 -> 105 (+5)");
  EXPECT_EQ(made.baseline.workloads.at("ping").reason, "because");
}

TEST(MakeBaseline, OnlyChangedWorkloadsGetTheNewReason) {
  Baseline existing = ping_baseline(100);
  existing.workloads.emplace("pong", existing.workloads.at("ping"));
  WorkloadResult pong = ping(exact_series(100));
  pong.name = "pong";
  const MadeBaseline made = make(existing, {ping(exact_series(101)), pong});
  EXPECT_EQ(made.baseline.workloads.at("ping").reason, "because");
  EXPECT_EQ(made.baseline.workloads.at("pong").reason, "the first one");
}

TEST(MakeBaseline, KeepsWhatPeopleSetByHand) {
  Baseline existing = ping_baseline(100);
  existing.workloads.at("ping").measures.at("allocations").threshold = Threshold{{}, 1500, {}};
  const MadeBaseline made = make(existing, {ping(exact_series(101))});
  EXPECT_EQ(made.baseline.workloads.at("ping").measures.at("allocations").threshold->thousandths, 1500);
}

TEST(MakeBaseline, WritesAThresholdWhereAsked) {
  MakeBaselineOptions options;
  options.threshold = Threshold{{}, 2000, {}};
  WorkloadResult workload = ping(exact_series(100));
  workload.measures.emplace("deallocations", exact_series(100));
  const MadeBaseline made = make(ping_baseline(100), {workload}, options);
  const auto& measures = made.baseline.workloads.at("ping").measures;
  EXPECT_EQ(measures.at("allocations").threshold->thousandths, 2000);
  EXPECT_FALSE(measures.at("deallocations").threshold) << "it is not gated";
  EXPECT_THAT(made.changes[0].sentence, HasSubstr("threshold: at most 2 % more"));
}

TEST(MakeBaseline, KeepsAdvisoryMeasuresThatAreNamedOrThere) {
  WorkloadResult workload = ping(exact_series(100));
  workload.measures.emplace("peak_live_bytes", exact_series(7));
  MakeBaselineOptions options;
  options.measures = {"peak_live_bytes"};
  const MadeBaseline first = make(std::nullopt, {workload}, options);
  EXPECT_EQ(first.baseline.workloads.at("ping").measures.count("peak_live_bytes"), 1u);
  workload.measures.at("peak_live_bytes") = exact_series(8);
  EXPECT_EQ(make(first.baseline, {workload}).baseline.workloads.at("ping").measures.at("peak_live_bytes").value, 8);
}

TEST(MakeBaseline, AGateOfMinKeepsTheMinimumAndTheSamples) {
  WorkloadResult workload = ping(spread_series(SeriesClass::noisy, 90, 100, 120));
  workload.gate = Gate::min;
  const MadeBaseline made = make(std::nullopt, {workload});
  EXPECT_EQ(made.baseline.workloads.at("ping").measures.at("allocations").value, 90);
  EXPECT_EQ(made.baseline.workloads.at("ping").measures.at("allocations").samples.size(), 3u);
}

struct Refused {
  std::string what;
  std::optional<Baseline> existing;
  WorkloadResult workload;
  std::string measure;
  VerdictKind kind;
  std::string words;
};

std::ostream& operator<<(std::ostream& stream, const Refused& refused) {
  return stream << refused.what;
}

class Refusal : public testing::TestWithParam<Refused> {};

TEST_P(Refusal, KeepsTheOldValueUntilItIsNamed) {
  const Refused& refused = GetParam();
  const MadeBaseline made = make(refused.existing, {refused.workload});
  ASSERT_EQ(made.refusals.size(), 1u);
  EXPECT_EQ(made.refusals[0].measure, refused.measure);
  EXPECT_EQ(made.refusals[0].kind, refused.kind);
  EXPECT_THAT(made.refusals[0].sentence, HasSubstr(refused.words));
  const std::string name = refused.measure.empty() ? "ping" : "ping:" + refused.measure;
  EXPECT_THAT(made.refusals[0].sentence, HasSubstr("accept it by name, " + name));
  if (refused.existing) {
    EXPECT_EQ(baseline_to_json(made.baseline), baseline_to_json(*refused.existing));
  }

  MakeBaselineOptions options;
  options.accepted = {name};
  const MadeBaseline accepted = make(refused.existing, {refused.workload}, options);
  EXPECT_TRUE(accepted.refusals.empty());
  EXPECT_FALSE(accepted.changes.empty());
  EXPECT_EQ(make(accepted.baseline, {refused.workload}).changes.size(), 0u) << "accepted once is enough to keep it";
}

INSTANTIATE_TEST_SUITE_P(
    Reasons, Refusal,
    testing::Values(Refused{"zero where there was one", ping_baseline(100), ping(exact_series(0)), "allocations",
                            VerdictKind::blind, "blind: nothing was counted where there were 100"},
                    Refused{"a leak", baseline_with("ping", {{"live_allocations", exact_measure(0)}}),
                            example_workload("ping", {{"live_allocations", linear_series(1, 0, 10)}}),
                            "live_allocations", VerdictKind::leak, "leaking: 1 per iteration"},
                    Refused{"a leak of a new workload", std::nullopt,
                            example_workload("ping", {{"live_allocations", linear_series(1, 0, 10)}}),
                            "live_allocations", VerdictKind::leak, "leaking"},
                    Refused{"a value that vanished",
                            baseline_with("ping", {{"allocations", exact_measure(1)}, {"open_fds", exact_measure(3)}}),
                            ping(exact_series(1)), "open_fds", VerdictKind::missing, "missing: the baseline has 3"}));

TEST(MakeBaseline, UnstableValuesAreRefusedUntilNamed) {
  for (const auto& [gate, series_class] :
       {std::pair(Gate::exact, SeriesClass::stable), std::pair(Gate::exact, SeriesClass::noisy),
        std::pair(Gate::percent, SeriesClass::noisy)}) {
    WorkloadResult workload = ping(spread_series(series_class, 90, 100, 110));
    workload.gate = gate;
    EXPECT_THAT(make(std::nullopt, {workload}).refusals.at(0).sentence, HasSubstr("unstable"));
    MakeBaselineOptions options;
    options.accepted = {"ping:allocations"};
    EXPECT_TRUE(make(std::nullopt, {workload}, options).refusals.empty());
    workload.gate = std::nullopt;
    EXPECT_TRUE(make(std::nullopt, {workload}).refusals.empty()) << "nothing is declared";
  }
}

TEST(MakeBaseline, FailedWorkloadsAreNeverTaken) {
  WorkloadResult workload = ping(exact_series(5));
  workload.status = WorkloadStatus::failed;
  workload.error = "no port";
  MakeBaselineOptions options;
  options.accepted = {"ping"};
  const MadeBaseline made = make(ping_baseline(100), {workload}, options);
  EXPECT_EQ(made.refusals.size(), 1u);
  EXPECT_EQ(baseline_to_json(made.baseline), baseline_to_json(ping_baseline(100)));
}

TEST(MakeBaseline, BlindWorkloadsAreTakenByName) {
  WorkloadResult workload = ping(exact_series(5));
  workload.status = WorkloadStatus::blind;
  workload.error = "a child was not counted";
  EXPECT_EQ(make(std::nullopt, {workload}).refusals.size(), 1u);
  MakeBaselineOptions options;
  options.accepted = {"ping"};
  EXPECT_EQ(make(std::nullopt, {workload}, options).baseline.workloads.at("ping").measures.at("allocations").value, 5);
}

TEST(MakeBaseline, AnAcceptedLeakIsForgottenWhenItIsFixed) {
  BaselineMeasure accepted = exact_measure(10);
  accepted.leak_accepted = true;
  const Baseline existing = baseline_with("ping", {{"live_allocations", accepted}});
  const MadeBaseline made =
      make(existing, {example_workload("ping", {{"live_allocations", linear_series(0, 10, 10)}})});
  EXPECT_FALSE(made.baseline.workloads.at("ping").measures.at("live_allocations").leak_accepted);
  EXPECT_THAT(made.changes.at(0).sentence, HasSubstr("leak gone"));
}

TEST(MakeBaseline, OneRefusalRefusesAWorkloadWhoseIterationsChanged) {
  Baseline existing = baseline_with("ping", {{"allocations", exact_measure(1)}, {"open_fds", exact_measure(3)}});
  WorkloadResult workload = ping(exact_series(2));
  workload.iterations = 20;
  const MadeBaseline made = make(existing, {workload});
  EXPECT_EQ(baseline_to_json(made.baseline), baseline_to_json(existing));
  EXPECT_TRUE(made.changes.empty());
  ASSERT_EQ(made.refusals.size(), 2u);
  EXPECT_THAT(made.refusals[1].sentence, HasSubstr("its iterations changed from 10 to 20"));
}

TEST(MakeBaseline, LeavesOtherWorkloadsAlone) {
  Baseline existing = ping_baseline(100);
  existing.workloads.emplace("gone", existing.workloads.at("ping"));
  MakeBaselineOptions options;
  options.workloads = {"po*"};
  EXPECT_EQ(baseline_to_json(make(existing, {ping(exact_series(5))}, options).baseline), baseline_to_json(existing));
  options.workloads = {"pi*"};
  const MadeBaseline made = make(existing, {ping(exact_series(5))}, options);
  EXPECT_EQ(made.baseline.workloads.at("ping").measures.at("allocations").value, 5);
  EXPECT_EQ(made.baseline.workloads.count("gone"), 1u);
}

TEST(MakeBaseline, RemovesEntriesOnlyWhenAsked) {
  Baseline existing = ping_baseline(100);
  existing.workloads.emplace("gone", existing.workloads.at("ping"));
  MakeBaselineOptions options;
  options.remove_missing = true;
  const MadeBaseline made = make(existing, {ping(exact_series(100))}, options);
  EXPECT_EQ(made.baseline.workloads.count("gone"), 0u);
  EXPECT_THAT(made.changes.at(0).sentence, HasSubstr("removed, because the result does not have it"));
}

TEST(MakeBaseline, OtherSuitesAreNotTaken) {
  WorkloadResult other = ping(exact_series(1));
  other.suite = "other";
  EXPECT_TRUE(make(std::nullopt, {other}).baseline.workloads.empty());
}

TEST(MakeBaseline, OneFileNeverDescribesTwoTestbeds) {
  Baseline existing = ping_baseline(100);
  existing.workloads.emplace("other", existing.workloads.at("ping"));
  existing.testbed.fields["libc"] = "glibc 2.31";
  const MadeBaseline made = make(existing, {ping(exact_series(101))});
  EXPECT_EQ(baseline_to_json(made.baseline), baseline_to_json(existing));
  EXPECT_THAT(made.refusals.at(0).sentence, HasSubstr("nothing is updated"));
  EXPECT_THAT(made.refusals.at(0).sentence, HasSubstr("libc"));

  WorkloadResult other = ping(exact_series(100));
  other.name = "other";
  const MadeBaseline whole = make(existing, {ping(exact_series(101)), other});
  EXPECT_TRUE(whole.refusals.empty());
  EXPECT_EQ(whole.baseline.testbed.fields.at("libc"), "glibc 2.36");
}

TEST(MakeBaseline, KeepsTheVersionsOfItsOwnCoresOnly) {
  const auto cores_kept = [](const std::vector<std::string>& depends_on, const std::string& other_suite_depends_on) {
    WorkloadResult own = ping(exact_series(1));
    own.depends_on = depends_on;
    WorkloadResult other = ping(exact_series(1));
    other.suite = "other";
    other.depends_on = {other_suite_depends_on};
    return make(std::nullopt, {own, other}).baseline.testbed.fields.count("core.asio");
  };
  EXPECT_EQ(cores_kept({"core.asio"}, "core.asio"), 1u);
  EXPECT_EQ(cores_kept({}, "core.asio"), 0u) << "another suite's core";
  EXPECT_EQ(cores_kept({"core.beast"}, "core.asio"), 0u);
  EXPECT_EQ(cores_kept({}, "compiler"), 1u) << "nobody says which core is used";
}

TEST(MakeBaseline, AnotherKernelIsTakenOverWithTheChange) {
  Baseline existing = ping_baseline(100);
  existing.workloads.emplace("other", existing.workloads.at("ping"));
  existing.testbed.fields["kernel"] = "5";
  EXPECT_EQ(make(existing, {ping(exact_series(101))}).baseline.testbed.fields.at("kernel"), "6.1");
  EXPECT_EQ(make(existing, {ping(exact_series(100))}).baseline.testbed.fields.at("kernel"), "5") << "nothing changed";
}

}  // namespace
}  // namespace allocgate
