// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/comparison.hpp"

#include "example_documents.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

Comparison compare(const std::vector<Result>& results) {
  std::vector<std::string> labels;
  for (std::size_t index = 0; index < results.size(); ++index) {
    labels.push_back(std::string(1, static_cast<char>('a' + index)));
  }
  return compare_results(results, labels);
}

TEST(Comparison, PutsValuesSideBySide) {
  const Comparison comparison =
      compare({result_with({example_workload("ping", {{"allocations", linear_series(20, 1, 10)}})}),
               result_with({example_workload("ping", {{"allocations", linear_series(21, 3, 10)}})})});
  ASSERT_EQ(comparison.rows.size(), 1u);
  const ComparisonRow& row = comparison.rows[0];
  EXPECT_EQ(row.cells[0]->value, 201);
  EXPECT_EQ(row.cells[1]->value, 213);
  EXPECT_EQ(row.difference, 12);
  EXPECT_EQ(row.slope_difference->count, 1);
  EXPECT_FALSE(row.same);
  EXPECT_TRUE(comparison.notes.empty());
}

TEST(Comparison, TotalsOfOtherIterationsHaveNoDifference) {
  WorkloadResult longer = example_workload("ping", {{"allocations", linear_series(20, 1, 100)}});
  longer.iterations = 100;
  const Comparison comparison = compare(
      {result_with({example_workload("ping", {{"allocations", linear_series(20, 1, 10)}})}), result_with({longer})});
  EXPECT_FALSE(comparison.rows[0].difference);
  EXPECT_EQ(comparison.rows[0].slope_difference->count, 0);
}

TEST(Comparison, SaysWhatIsMissingAndWhatFailed) {
  WorkloadResult failed = example_workload("failed", {});
  failed.status = WorkloadStatus::failed;
  failed.error = "no port";
  const Comparison comparison = compare(
      {result_with({example_workload("ping", {{"allocations", exact_series(1)}}), failed}), result_with({failed})});
  ASSERT_EQ(comparison.rows.size(), 1u);
  EXPECT_FALSE(comparison.rows[0].cells[1]);
  EXPECT_FALSE(comparison.rows[0].same);
  EXPECT_EQ(comparison.notes, (std::vector<std::string>{"failed in a: failed: no port", "failed in b: failed: no port",
                                                        "ping is not in b"}));
}

TEST(Comparison, GoesOverMoreThanTwo) {
  const Result one =
      result_with({example_workload("ping", {{"allocations", exact_series(1)}, {"own", exact_series(2)}})});
  Result three = one;
  three.testbed.fields["kernel"] = "7";
  const Comparison comparison = compare({one, one, three});
  ASSERT_EQ(comparison.rows.size(), 2u);
  EXPECT_EQ(comparison.rows[0].cells.size(), 3u);
  EXPECT_TRUE(comparison.rows[0].same);
  ASSERT_EQ(comparison.testbed_differences.size(), 1u);
  EXPECT_EQ(comparison.testbed_differences[0].field, "kernel");
}

}  // namespace
}  // namespace allocgate
