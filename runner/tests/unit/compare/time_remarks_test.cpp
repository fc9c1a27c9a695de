// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/time_remarks.hpp"

#include "compare/comparison.hpp"
#include "example_documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Optional;

Series time(Count fastest, Count middle, Count p90) {
  Series series = spread_series(SeriesClass::noisy, fastest, middle, p90);
  series.p90 = p90;
  return series;
}

WorkloadResult timed(Count instructions, const Series& wall, const Series& cpu) {
  return example_workload("w",
                          {{"instructions", exact_series(instructions)}, {"wall_time_ns", wall}, {"cpu_time_ns", cpu}});
}

TEST(ProcessorRemark, TellsWorkFromWaiting) {
  const auto remark = [](Count cpu) { return processor_remark(timed(1, time(1000, 1100, 1200), time(cpu, cpu, cpu))); };
  EXPECT_THAT(remark(1000), Optional(HasSubstr("CPU-bound: 100 %")));
  EXPECT_THAT(remark(900), Optional(testing::StartsWith("CPU-bound: 90 %")));
  EXPECT_THAT(remark(890), Optional(testing::StartsWith("partly CPU-bound: 89 %")));
  EXPECT_THAT(remark(500), Optional(testing::StartsWith("partly CPU-bound: 50 %")));
  EXPECT_THAT(remark(490), Optional(testing::StartsWith("not CPU-bound: 49 %")));
  EXPECT_THAT(remark(1110), Optional(testing::StartsWith("CPU-bound, on several processors: 111 %")));
  EXPECT_EQ(processor_remark(example_workload("w", {})), std::nullopt);
}

TEST(TimeRemark, NamesPlacementAndStallsForEqualWork) {
  const auto before = timed(1000000, time(100, 110, 120), time(100, 110, 120));
  const auto after = timed(1000000, time(130, 140, 150), time(130, 140, 150));
  EXPECT_THAT(time_remark(before, after), Optional(HasSubstr("the instructions are equal (1 000 000) and the CPU time "
                                                             "is not (+27.3 %)")));
  EXPECT_THAT(time_remark(after, before), Optional(HasSubstr("(-21.4 %)")));
}

TEST(TimeRemark, NamesWaitingWhereOnlyWallTimeMoved) {
  const auto before = timed(1000, time(100, 110, 120), time(100, 110, 120));
  const auto after = timed(1000, time(130, 140, 150), time(100, 111, 121));
  EXPECT_THAT(time_remark(before, after), Optional(HasSubstr("wall time is not (+27.3 %): it waited longer")));
}

TEST(TimeRemark, IsSilentWhereThereIsNothingToSay) {
  const auto before = timed(1000000, time(100, 110, 120), time(100, 110, 120));
  const auto slower = time(130, 140, 150);
  EXPECT_EQ(time_remark(before, before), std::nullopt);
  EXPECT_EQ(time_remark(before, timed(1002000, slower, slower)), std::nullopt) << "more instructions explain it";
  EXPECT_NE(time_remark(before, timed(1001000, slower, slower)), std::nullopt) << "a thousandth is how counters repeat";
  const auto overlapping = time(105, 140, 150);
  EXPECT_EQ(time_remark(before, timed(1000000, overlapping, overlapping)), std::nullopt);
  const auto nearly = time(1000, 1000, 1000);
  const auto a_little_more = time(1020, 1020, 1020);
  EXPECT_EQ(time_remark(timed(5, nearly, nearly), timed(5, a_little_more, a_little_more)), std::nullopt);
  const auto enough_more = time(1021, 1021, 1021);
  EXPECT_NE(time_remark(timed(5, nearly, nearly), timed(5, enough_more, enough_more)), std::nullopt);
  EXPECT_EQ(time_remark(before, example_workload("w", {})), std::nullopt);
  WorkloadResult longer = timed(1000000, slower, slower);
  longer.iterations = 20;
  EXPECT_EQ(time_remark(before, longer), std::nullopt) << "other iterations are another amount of work";
}

TEST(SpreadRemark, SaysThatTheMachineDecides) {
  EXPECT_THAT(spread_remark(timed(1000, time(1, 1, 1), time(100, 110, 130))),
              Optional(HasSubstr("spreads over 27 % of its middle")));
  EXPECT_EQ(spread_remark(timed(1000, time(1, 1, 1), time(100, 100, 110))), std::nullopt);
  WorkloadResult other_work = timed(1000, time(1, 1, 1), time(100, 110, 130));
  other_work.measures["instructions"] = spread_series(SeriesClass::noisy, 1000, 1500, 2000);
  EXPECT_EQ(spread_remark(other_work), std::nullopt);
}

TEST(Comparison, SaysItOfTheFirstAndTheLast) {
  const auto fast = time(100, 110, 120);
  const auto slow = time(130, 140, 150);
  const std::vector<Result> results = {result_with({timed(1000, fast, fast)}), result_with({timed(1000, slow, slow)})};
  const std::vector<std::string> labels = {"a", "b"};
  const Comparison comparison = compare_results(results, labels);
  EXPECT_THAT(comparison.notes, Contains(HasSubstr("w: the instructions are equal")));
  EXPECT_THAT(comparison.notes, Contains(HasSubstr("w: CPU-bound")));
}

}  // namespace
}  // namespace allocgate
