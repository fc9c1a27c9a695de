// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/families.hpp"

#include "example_documents.hpp"
#include "model/slope.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> argument_names(std::string_view workload) {
  std::vector<std::string> names;
  for (const NameArgument& argument : arguments_of(workload)) {
    names.push_back(fmt::format("{}={} in {}", argument.name, argument.value, argument.family));
  }
  return names;
}

TEST(ArgumentsOf, ReadsNamesAsGoogleBenchmarkWritesThem) {
  EXPECT_THAT(argument_names("parse/64"), ElementsAre("argument 1=64 in parse/*"));
  EXPECT_THAT(argument_names("parse/size:64"), ElementsAre("size=64 in parse/size:*"));
  EXPECT_THAT(
      argument_names("http/parse/8/depth:-2/real_time"),
      ElementsAre("argument 1=8 in http/parse/*/depth:-2/real_time", "depth=-2 in http/parse/8/depth:*/real_time"));
  EXPECT_THAT(argument_names("f/64/iterations:100/repeats:3/threads:2"),
              ElementsAre("argument 1=64 in f/*/iterations:100/repeats:3/threads:2",
                          "threads=2 in f/64/iterations:100/repeats:3/threads:*"));
}

TEST(ArgumentsOf, TakesNoOtherNumberForOne) {
  for (const char* name : {"64", "asio/1000_reqs", "f/064", "f/+1", "f/1.5", "f/min_time:0.5", "f/:5", "f/", "f/-0",
                           "f/99999999999999999999"}) {
    EXPECT_THAT(argument_names(name), IsEmpty()) << name;
  }
}

Result with_values(const std::vector<std::pair<std::string, Count>>& values) {
  std::vector<WorkloadResult> workloads;
  for (const auto& [name, value] : values) {
    workloads.push_back(example_workload(name, {{"allocations", linear_series(value, 1, 10)}}));
  }
  return result_with(std::move(workloads));
}

FamilySeries only_series(const Result& result) {
  const std::vector<FamilySeries> all = all_family_series(result);
  EXPECT_EQ(all.size(), 1U);
  return all.at(0);
}

TEST(Families, AreFixedAndPerUnitWhereExactlyLinear) {
  const FamilySeries series = only_series(with_values({{"f/n:1", 6}, {"f/n:10", 24}, {"f/n:100", 204}}));
  EXPECT_EQ(series.family, "f/n:*");
  ASSERT_TRUE(series.line);
  EXPECT_EQ(series.line->fixed, (Slope{4, 1}));
  EXPECT_EQ(series.line->per_unit, (Slope{2, 1}));
  EXPECT_EQ(family_text(series), "4 + 2 per n");
}

TEST(Families, CalculateInFractions) {
  // 1/3 an iteration and 1/6 a unit more: no binary fraction is either.
  std::vector<WorkloadResult> workloads;
  for (const Count n : {1, 2, 4}) {
    Series series = exact_series(0);
    series.linear = true;
    series.slope = Slope{2 + n, 6};
    workloads.push_back(example_workload("f/" + std::to_string(n), {{"allocations", series}}));
  }
  const FamilySeries series = only_series(result_with(std::move(workloads)));
  EXPECT_EQ(family_text(series), "1/3 + 1/6 per unit of argument 1");
}

TEST(Families, OneOffIsNotOnALine) {
  const FamilySeries series = only_series(with_values({{"f/n:1", 6}, {"f/n:10", 24}, {"f/n:100", 205}}));
  EXPECT_FALSE(series.line);
  EXPECT_EQ(series.reason, "not on one line: from n = 10 to 100 it changes by 181/90 a unit, and before by 2");
}

TEST(Families, TwoPointsAreNoProof) {
  const FamilySeries series = only_series(with_values({{"f/n:1", 6}, {"f/n:10", 24}}));
  EXPECT_FALSE(series.line);
  EXPECT_EQ(series.reason, "2 values of n are always on a line; at least 3 are needed");
}

TEST(Families, SayWhatDoesNotDependOnTheArgument) {
  EXPECT_EQ(family_text(only_series(with_values({{"f/n:1", 6}, {"f/n:2", 6}, {"f/n:3", 6}}))), "6, whatever n is");
  EXPECT_EQ(family_text(only_series(with_values({{"f/n:1", 3}, {"f/n:2", 6}, {"f/n:3", 9}}))), "3 per n");
}

TEST(Families, VaryOneArgumentWhileTheOthersStay) {
  const Result result = with_values({{"f/1/1", 11}, {"f/1/2", 12}, {"f/1/3", 13}, {"f/2/1", 21}, {"f/3/1", 31}});
  std::vector<std::string> texts;
  for (const FamilySeries& series : all_family_series(result)) {
    texts.push_back(series.family + ": " + family_text(series));
  }
  EXPECT_THAT(texts, ElementsAre("f/*/1: 1 + 10 per unit of argument 1", "f/1/*: 10 + 1 per unit of argument 2"));
}

TEST(Families, AreThoseOfOneSuite) {
  Result result = with_values({{"f/1", 1}, {"f/2", 2}, {"f/3", 3}});
  result.workloads[1].suite = "another";
  EXPECT_EQ(only_series(result).points.size(), 2U);
}

TEST(Families, ClaimNothingOfValuesThatAreNotExact) {
  Result result = with_values({{"f/1", 1}, {"f/2", 2}, {"f/3", 3}});
  result.workloads[1].measures["allocations"].series_class = SeriesClass::stable;
  EXPECT_THAT(only_series(result).reason, HasSubstr("argument 1 = 2 are stable"));
}

TEST(Families, ClaimNothingAcrossSeriesOfDifferentKinds) {
  Result result = with_values({{"f/1", 1}, {"f/2", 2}, {"f/3", 3}});
  result.workloads[2].measures["allocations"] = exact_series(30);
  EXPECT_THAT(only_series(result).reason, HasSubstr("argument 1 = 3 is not linear in the iterations"));
}

TEST(Families, TakeTotalsWhereNothingIsLinearInTheIterations) {
  std::vector<WorkloadResult> workloads;
  for (const Count n : {1, 2, 3}) {
    workloads.push_back(example_workload("f/" + std::to_string(n), {{"allocations", exact_series(5 + n)}}));
  }
  Result result = result_with(std::move(workloads));
  const FamilySeries series = only_series(result);
  EXPECT_TRUE(series.totals);
  EXPECT_EQ(series.iterations, 10U);
  EXPECT_EQ(family_text(series), "5 + 1 per unit of argument 1");
  result.workloads[1].iterations = 20;
  EXPECT_THAT(only_series(result).reason, HasSubstr("in 10 iterations and at argument 1 = 2 in 20"));
}

TEST(Families, LeaveOutWhatFailed) {
  Result result = with_values({{"f/1", 1}, {"f/2", 2}, {"f/3", 3}, {"f/4", 9}});
  result.workloads[3].status = WorkloadStatus::failed;
  EXPECT_EQ(family_text(only_series(result)), "1 per unit of argument 1");
}

}  // namespace
}  // namespace allocgate
