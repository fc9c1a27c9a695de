// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/layers.hpp"

#include "example_documents.hpp"
#include "model/slope.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

WorkloadResult workload(const std::string& name, Count allocations) {
  return example_workload(name, {{"allocations", linear_series(allocations, 0, 10)}});
}

WorkloadResult stack(Count allocations, std::vector<WorkloadLayer> layers) {
  WorkloadResult made = workload("http/requests", allocations);
  made.layers = std::move(layers);
  return made;
}

Slope whole(Count count) {
  return {count, 1};
}

TEST(Layers, TheRestIsWhatTheLayersAloneDoNotDo) {
  const std::vector<Result> results = {result_with(
      {stack(100, {{"codec", "parse", 2}, {"core", "loop", 1}}), workload("parse", 30), workload("loop", 5)})};
  const std::vector<ComparisonStack> stacks = stacks_side_by_side(results);
  ASSERT_EQ(stacks.size(), 1U);
  EXPECT_EQ(stacks[0].workload, "http/requests");
  EXPECT_EQ(stacks[0].measure, "allocations");
  EXPECT_EQ(stacks[0].cells[0], whole(100));
  EXPECT_EQ(stacks[0].layers[0].cells[0], whole(60));
  EXPECT_EQ(stacks[0].layers[1].cells[0], whole(5));
  EXPECT_EQ(stacks[0].rest[0], whole(35));
}

TEST(Layers, TheRestIsBelowZeroWhereALayerDoesMoreAlone) {
  const std::vector<Result> results = {result_with({stack(20, {{"codec", "parse", 1}}), workload("parse", 30)})};
  EXPECT_EQ(stacks_side_by_side(results)[0].rest[0], whole(-10));
}

TEST(Layers, ThereIsNoRestWithoutALayerOrItsExactValue) {
  WorkloadResult noisy = example_workload("parse", {{"allocations", spread_series(SeriesClass::noisy, 10, 20, 30)}});
  WorkloadResult failed = workload("parse", 30);
  failed.status = WorkloadStatus::failed;
  const std::vector<WorkloadLayer> layers = {{"codec", "parse", 1}};
  const std::vector<Result> results = {result_with({stack(100, layers)}), result_with({stack(100, layers), noisy}),
                                       result_with({stack(100, layers), failed}), result_with({workload("parse", 30)}),
                                       result_with({stack(100, layers), workload("parse", 30)})};
  const std::vector<ComparisonStack> stacks = stacks_side_by_side(results);
  ASSERT_EQ(stacks.size(), 1U);
  for (const std::size_t without : {0U, 1U, 2U, 3U}) {
    EXPECT_FALSE(stacks[0].rest[without]) << without;
  }
  EXPECT_EQ(stacks[0].rest[4], whole(70));
}

TEST(Layers, MeasuresThatDoNotAddUpAreLeftOut) {
  WorkloadResult made = stack(100, {{"codec", "parse", 1}});
  made.measures.emplace("peak_live_bytes", linear_series(1, 0, 10));
  made.measures.emplace("live_allocations", linear_series(0, 0, 10));
  const std::vector<Result> results = {result_with({made})};
  EXPECT_EQ(stacks_side_by_side(results).size(), 1U);
}

}  // namespace
}  // namespace allocgate
