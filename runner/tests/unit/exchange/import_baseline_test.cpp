// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "exchange/import_baseline.hpp"

#include "compare/rules.hpp"
#include "example_documents.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

using Workloads = std::map<std::string, std::map<std::string, ForeignMeasure>>;

ForeignMeasure limited(Count limit) {
  Threshold threshold;
  threshold.range = Threshold::Range{0, limit};
  return {limit, threshold};
}

ImportOptions options() {
  ImportOptions made;
  made.reason = "imported";
  made.commit = "abc";
  made.time = "2026-01-02T03:04:05Z";
  return made;
}

TEST(ImportBaseline, MakesAFirstOne) {
  const MadeBaseline made =
      import_baseline(std::nullopt, "nio", {{"a", {{"allocations", limited(35)}}}}, example_testbed(), options());
  EXPECT_EQ(made.baseline.suite, "nio");
  EXPECT_EQ(made.baseline.testbed.id, example_testbed().id);
  const BaselineWorkload& entry = made.baseline.workloads.at("a");
  EXPECT_EQ(entry.iterations, 1U);
  EXPECT_EQ(entry.reason, "imported");
  EXPECT_EQ(entry.measures.at("allocations").threshold->range->highest, 35);
  EXPECT_EQ(made.changes.size(), 1U);
}

TEST(ImportBaseline, LeavesTheRestAsItIs) {
  Baseline existing = baseline_with("a", {{"allocations", exact_measure(3)}, {"open_fds", exact_measure(0)}});
  existing.workloads["other"] = existing.workloads.at("a");
  ImportOptions given = options();
  given.iterations = 10;
  const MadeBaseline made =
      import_baseline(existing, "suite", {{"a", {{"allocations", {4, std::nullopt}}}}}, example_testbed(), given);
  ASSERT_EQ(made.changes.size(), 1U);
  EXPECT_EQ(made.changes[0].before, 3);
  EXPECT_EQ(made.changes[0].after, 4);
  EXPECT_EQ(made.baseline.workloads.at("a").measures.size(), 2U);
  EXPECT_EQ(made.baseline.workloads.at("other").reason, "the first one");
}

TEST(ImportBaseline, OfTheSameAgainChangesNothing) {
  const Workloads workloads = {{"a", {{"allocations", limited(35)}}}};
  const MadeBaseline first = import_baseline(std::nullopt, "nio", workloads, example_testbed(), options());
  ImportOptions later = options();
  later.reason = "again";
  const MadeBaseline again = import_baseline(first.baseline, "nio", workloads, example_testbed(), later);
  EXPECT_TRUE(again.changes.empty());
  EXPECT_EQ(again.unchanged, 1U);
  EXPECT_EQ(again.baseline.workloads.at("a").reason, "imported");
}

TEST(ImportBaseline, ReplacesAnEntryOfOtherIterations) {
  const Baseline existing = baseline_with("a", {{"allocations", exact_measure(3)}, {"open_fds", exact_measure(0)}});
  const MadeBaseline made =
      import_baseline(existing, "suite", {{"a", {{"allocations", {3, std::nullopt}}}}}, example_testbed(), options());
  EXPECT_EQ(made.baseline.workloads.at("a").iterations, 1U);
  EXPECT_EQ(made.baseline.workloads.at("a").measures.size(), 1U);
  ASSERT_EQ(made.changes.size(), 2U);
  EXPECT_EQ(made.changes[0].measure, "open_fds");
  EXPECT_FALSE(made.changes[0].after);
}

TEST(ImportBaseline, GivesAToleranceToWhatHasNoLimit) {
  ImportOptions given = options();
  given.tolerance = Threshold{std::nullopt, 5000, std::nullopt};
  const MadeBaseline made = import_baseline(
      std::nullopt, "nio", {{"a", {{"allocations", {387, std::nullopt}}}}, {"b", {{"allocations", limited(35)}}}},
      example_testbed(), given);
  const auto& workloads = made.baseline.workloads;
  EXPECT_EQ(workloads.at("a").measures.at("allocations").threshold->range->highest, 406);
  EXPECT_EQ(workloads.at("b").measures.at("allocations").threshold->range->highest, 35);
}

// package-benchmark finds neither a regression nor an improvement where |current / reference - 1| is at most the
// tolerance, or |current - reference|.
TEST(ImportBaseline, ToleratesWhatPackageBenchmarkTolerates) {
  for (const Count reference : {1, 19, 20, 387, 1'000'000'007}) {
    for (const bool relative : {true, false}) {
      ImportOptions given = options();
      given.tolerance =
          relative ? Threshold{std::nullopt, 5000, std::nullopt} : Threshold{std::nullopt, std::nullopt, 7};
      const MadeBaseline made = import_baseline(
          std::nullopt, "nio", {{"a", {{"allocations", {reference, std::nullopt}}}}}, example_testbed(), given);
      const Threshold& band = *made.baseline.workloads.at("a").measures.at("allocations").threshold;
      const Count reach = relative ? reference / 20 : 7;
      for (const Count current :
           {reference - reach - 1, reference - reach, reference, reference + reach, reference + reach + 1}) {
        if (current < 0) {
          continue;
        }
        const Count distance = current < reference ? reference - current : current - reference;
        const bool tolerated = relative ? distance * 20 <= reference : distance <= 7;
        EXPECT_EQ(change_under(band, Better::lower, reference, current) == Change::within, tolerated)
            << reference << " " << current << " " << relative;
      }
    }
  }
}

}  // namespace
}  // namespace allocgate
