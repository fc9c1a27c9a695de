// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/found_value.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

Result result_with(const WorkloadResult& workload) {
  Result result;
  result.workloads = {workload};
  return result;
}

WorkloadResult parse() {
  WorkloadResult workload;
  workload.name = "parse";
  workload.iterations = 10;
  Series series;
  series.unit = "count";
  series.min = 30;
  series.median = 31;
  series.samples = {{30, 1}, {31, 2}};
  workload.measures["allocations"] = series;
  return workload;
}

TEST(FindValue, GivesTheJudgedOneWithItsUnit) {
  const FoundValue found = find_value(result_with(parse()), "parse", "allocations");
  ASSERT_TRUE(found.value);
  EXPECT_EQ(found.value->value, 31);
  EXPECT_EQ(found.unit, "count");
  EXPECT_EQ(found.reason, "");
  WorkloadResult by_minimum = parse();
  by_minimum.gate = Gate::min;
  EXPECT_EQ(find_value(result_with(by_minimum), "parse", "allocations").value->value, 30);
}

TEST(FindValue, SaysWhyThereIsNone) {
  const Result result = result_with(parse());
  EXPECT_EQ(find_value(result, "pars", "allocations").reason, "it has no workload 'pars' (did you mean parse?)");
  EXPECT_EQ(find_value(result, "parse", "alocations").reason,
            "parse has no measure 'alocations' (did you mean allocations?)");
  WorkloadResult failed = parse();
  failed.status = WorkloadStatus::failed;
  failed.error = "it crashed";
  EXPECT_EQ(find_value(result_with(failed), "parse", "allocations").reason, "parse was not measured: it crashed");
  failed.name = "bench";  // as a program that could not list its workloads stands in a result
  EXPECT_EQ(find_value(result_with(failed), "parse", "allocations").reason, "bench was not measured: it crashed");
}

TEST(AtIterations, NeedsALineToMoveAlong) {
  WorkloadResult workload = parse();
  const FoundValue without_line = at_iterations(find_value(result_with(workload), "parse", "allocations"), 20);
  EXPECT_FALSE(without_line.value);
  EXPECT_NE(without_line.reason.find("it runs 10 iterations where others run 20"), std::string::npos);
  Series& series = workload.measures["allocations"];
  series.slope = Slope{3, 1};
  series.setup = 1;
  EXPECT_EQ(at_iterations(find_value(result_with(workload), "parse", "allocations"), 20).value->value, 61);
}

}  // namespace
}  // namespace allocgate
