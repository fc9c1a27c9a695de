// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/choose_baseline.hpp"

#include "example_documents.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

Baseline on(const std::string& id, std::map<std::string, std::string> changed) {
  Baseline baseline = baseline_with("ping", {{"allocations", exact_measure(1)}});
  baseline.testbed.id = id;
  for (const auto& [field, value] : changed) {
    baseline.testbed.fields[field] = value;
  }
  return baseline;
}

TEST(ChooseBaseline, TakesTheSameTestbedFirst) {
  const std::vector<Baseline> candidates = {on("a", {}), on(example_testbed().id, {{"kernel", "5"}, {"libc", "x"}})};
  EXPECT_EQ(choose_baseline(result_with({}), "suite", candidates), 1u);
}

TEST(ChooseBaseline, ThenTheOneWhoseDifferencesMatterLeast) {
  const std::vector<Baseline> candidates = {on("a", {{"libc", "x"}}), on("b", {{"kernel", "5"}, {"cpu", "y"}}),
                                            on("c", {{"kernel", "5"}})};
  EXPECT_EQ(choose_baseline(result_with({}), "suite", candidates), 2u);
  EXPECT_EQ(choose_baseline(result_with({}), "suite", std::span(candidates).first(2)), 1u);
}

TEST(ChooseBaseline, OfTheSuiteOnly) {
  const std::vector<Baseline> candidates = {on("a", {})};
  EXPECT_EQ(choose_baseline(result_with({}), "other", candidates), std::nullopt);
}

TEST(SuitesOf, AreSortedAndOnce) {
  WorkloadResult a = example_workload("1", {});
  WorkloadResult b = example_workload("2", {});
  b.suite = "another";
  EXPECT_EQ(suites_of(result_with({a, a, b})), (std::vector<std::string>{"another", "suite"}));
}

}  // namespace
}  // namespace allocgate
