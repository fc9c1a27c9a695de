// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "exchange/package_benchmark.hpp"

#include "example_documents.hpp"
#include "exchange/refused.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(PackageBenchmark, NamesSuiteAndWorkloadInTheFilesName) {
  const ForeignFile read =
      read_package_benchmark(R"({"mallocCountTotal": 387})", "Thresholds/NIOPosix.TCP.Echo.p90.json");
  ASSERT_EQ(read.values.size(), 1U);
  EXPECT_EQ(read.values[0].suite, "NIOPosix");
  EXPECT_EQ(read.values[0].workload, "TCP.Echo");
  EXPECT_EQ(read.values[0].measure, "allocations");
  EXPECT_EQ(read.values[0].observed, 387);
  EXPECT_FALSE(read.values[0].limit);
}

TEST(PackageBenchmark, SaysWhichMetricsItLeavesOut) {
  const ForeignFile read = read_package_benchmark(
      "{\n  \"mallocCountTotal\" : 1,\n  \"memoryLeaked\" : 0,\n  \"wallClock\" : 17\n}\n", "T.B.p90.json");
  EXPECT_EQ(read.values.size(), 2U);
  EXPECT_EQ(read.values[1].measure, "live_allocations");
  EXPECT_EQ(read.values[1].line, 3U);
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("wallClock has no measure of ours")));
}

TEST(PackageBenchmark, ThatIsDamagedOrMisnamedIsRefused) {
  for (const char* text :
       {"{\"mallocCountTotal\": 1.5}", "{\"mallocCountTotal\": -1}", "{\"mallocCountTotal\": 38", "[]"}) {
    EXPECT_THAT(refusal_of([&] { read_package_benchmark(text, "T.B.p90.json"); }), HasSubstr("T.B.p90.json: line 1"))
        << text;
  }
  for (const char* name : {"B.p90.json", "thresholds.json", ".B.p90.json", "T..p90.json"}) {
    EXPECT_THAT(refusal_of([&] { read_package_benchmark("{\"mallocCountTotal\": 1}", name); }),
                HasSubstr("TARGET.BENCHMARK.p90.json"))
        << name;
  }
}

TEST(PackageBenchmark, IsWrittenAndReadBack) {
  const PackageBenchmarkFiles made = package_benchmark_files(result_with({example_workload(
      "a/b c", {{"allocations", linear_series(387, 2, 10)}, {"allocated_bytes", linear_series(5, 0, 10)}})}));
  ASSERT_EQ(made.files.size(), 1U);
  EXPECT_EQ(made.files[0].name, "suite.a_b_c.p90.json");
  EXPECT_EQ(made.files[0].text, "{\n  \"mallocBytesCount\": 5,\n  \"mallocCountTotal\": 387\n}\n");
  const ForeignFile read = read_package_benchmark(made.files[0].text, made.files[0].name);
  EXPECT_EQ(read.values.at(1).observed, 387);
  EXPECT_TRUE(made.left_out.empty());
}

TEST(PackageBenchmark, HoldsWholeNumbersOfOneIterationOnly) {
  Series third = exact_series(3);
  third.linear = true;
  third.slope = Slope{1, 3};
  WorkloadResult one = example_workload("one", {{"allocations", exact_series(0)}});
  one.iterations = 1;
  one.measures["allocations"].samples = {{5, 8}, {6, 1}, {9, 1}};
  const PackageBenchmarkFiles made =
      package_benchmark_files(result_with({example_workload("third", {{"allocations", third}}),
                                           example_workload("bent", {{"allocations", exact_series(8)}}), one}));
  ASSERT_EQ(made.files.size(), 1U);
  EXPECT_EQ(made.files[0].text, "{\n  \"mallocCountTotal\": 6\n}\n");
  EXPECT_THAT(made.left_out,
              ElementsAre(HasSubstr("bent allocations is left out: it is not linear"), HasSubstr("bent has no file"),
                          HasSubstr("third allocations is left out: 1/3 per iteration is no whole number"),
                          HasSubstr("third has no file")));
}

TEST(PackageBenchmark, HasNoFileForTwo) {
  const auto workload = [](const char* name) {
    return example_workload(name, {{"allocations", linear_series(1, 0, 10)}});
  };
  EXPECT_THROW(package_benchmark_files(result_with({workload("a/b"), workload("a b")})), Error);
}

}  // namespace
}  // namespace allocgate
