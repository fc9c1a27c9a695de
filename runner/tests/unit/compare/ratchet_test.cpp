// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/ratchet.hpp"

#include "compare/judge.hpp"
#include "example_documents.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

const RatchetMark k_mark = {"kept", "abc123", "2026-11-30T00:00:00Z"};

TEST(Ratchet, TakesImprovementsOverAndNothingElse) {
  const Result result = result_with(
      {example_workload("ping", {{"allocations", linear_series(9, 0, 10)}, {"allocated_bytes", exact_series(105)}})});
  Baseline baseline =
      baseline_with("ping", {{"allocations", exact_measure(100)}, {"allocated_bytes", exact_measure(100)}});
  const Threshold five{std::nullopt, std::nullopt, 5};
  baseline.workloads.at("ping").measures.at("allocations").threshold = five;
  baseline.workloads.at("ping").measures.at("allocated_bytes").threshold = five;
  baseline.workloads.emplace("other", baseline.workloads.at("ping"));
  const Judgement judgement = judge(result, {baseline}, {});

  const std::vector<Baseline> changed = ratchet({baseline}, result, judgement, k_mark);
  ASSERT_EQ(changed.size(), 1u);
  const BaselineWorkload& ping = changed[0].workloads.at("ping");
  EXPECT_EQ(ping.measures.at("allocations").value, 90);
  EXPECT_EQ(ping.measures.at("allocations").slope->count, 9);
  EXPECT_EQ(ping.measures.at("allocations").threshold, five);
  EXPECT_EQ(ping.measures.at("allocated_bytes").value, 100) << "allowed to rise, and not accepted by that";
  EXPECT_EQ(ping.reason, "kept");
  EXPECT_EQ(ping.commit, "abc123");
  EXPECT_EQ(ping.updated_at, "2026-11-30T00:00:00Z");
  EXPECT_EQ(changed[0].workloads.at("other").reason, "the first one");
}

TEST(Ratchet, LeavesWhatDidNotImproveAlone) {
  const Result result = result_with({example_workload("ping", {{"allocations", exact_series(101)}})});
  const Baseline baseline = baseline_with("ping", {{"allocations", exact_measure(100)}});
  EXPECT_TRUE(ratchet({baseline}, result, judge(result, {baseline}, {}), k_mark).empty());
}

TEST(Ratchet, KeepsWorkloadsOfTheSameNameInTwoSuitesApart) {
  WorkloadResult better = example_workload("ping", {{"allocations", exact_series(90)}});
  WorkloadResult same = example_workload("ping", {{"allocations", exact_series(100)}});
  same.suite = "second";
  const Result result = result_with({better, same});
  const Baseline first = baseline_with("ping", {{"allocations", exact_measure(100)}});
  Baseline second = first;
  second.suite = "second";
  const std::vector<Baseline> changed = ratchet({first, second}, result, judge(result, {first, second}, {}), k_mark);
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0].suite, "suite");
}

}  // namespace
}  // namespace allocgate
