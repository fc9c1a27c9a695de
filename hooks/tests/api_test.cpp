// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include <gtest/gtest.h>

#include "below.hpp"

namespace allocgate::hooks_test {
namespace {

TEST(ApiTest, SaysThatTheHooksAreNotLoaded) {
  EXPECT_TRUE(output_of("'" + probe("api") + "' without_hooks").has_value());
}

TEST(ApiTest, WindowsNest) {
  const RecordedRun run = hooks_test::run({probe("api"), "windows", "1000"}, {.level = ALLOCGATE_LEVEL_USABLE});
  EXPECT_EQ(run.exit_code, 0) << "line, modulo 200, plus 1";
}

TEST(ApiTest, PausesNest) {
  for (const uint32_t level : {ALLOCGATE_LEVEL_COUNTS, ALLOCGATE_LEVEL_USABLE}) {
    EXPECT_EQ(run({probe("api"), "pauses", "1000"}, {.level = level}).exit_code, 0) << "line, modulo 200, plus 1";
  }
}

TEST(ApiTest, WorksFromCpp) {
  EXPECT_EQ(run({probe("api_cpp"), "vectors", "1000"}).exit_code, 0) << "line, modulo 200, plus 1";
}

TEST(ApiTest, WorksFromPython) {
  if (!output_of("/usr/bin/python3 -c 'import ctypes'").has_value()) {
    GTEST_SKIP() << "/usr/bin/python3 with ctypes is not installed";
  }
  const RecordedRun run = hooks_test::run({"/usr/bin/python3", API_PYTHON});
  EXPECT_EQ(run.exit_code, 0) << run.output;
}

TEST(LoaderTest, DlerrorStays) {
  EXPECT_EQ(run({probe("loader"), "dlerror_stays", "10"}).exit_code, 0);
}

TEST(LoaderTest, ACppPluginOfACProgramCounts) {
  const RecordedRun none = run({probe("loader"), "local_plugin", "0"});
  const RecordedRun some = run({probe("loader"), "local_plugin", "1000"});
  ASSERT_EQ(some.exit_code, 0);
  EXPECT_EQ(some.total.allocations - none.total.allocations, 1000u);
  EXPECT_EQ(some.total.deallocations - none.total.deallocations, 1000u);
  EXPECT_EQ(some.total.failed_allocations, 1u);
}

TEST(SummaryTest, IsPrintedOnceByHand) {
  const RecordedRun run = hooks_test::run({probe("processes"), "fork", "25"}, {.with_record = false});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output.find("allocgate: 35 allocations"), 0u) << run.output;
  EXPECT_NE(run.output.find("of 3500 bytes"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("in 2 processes\n"), std::string::npos) << run.output;
}

TEST(SummaryTest, IsNotWrittenIntoAFileOfTheProgram) {
  const std::string folder = testing::TempDir() + "allocgate-own-descriptor-2";
  const std::string file = folder + "/own_file";
  ASSERT_TRUE(output_of("mkdir -p '" + folder + "'").has_value());
  const RecordedRun run = hooks_test::run({probe("processes"), "own_descriptor_2", "25"},
                                          {.with_record = false, .shell_prefix = "cd '" + folder + "'; exec"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(output_of("wc -c < '" + file + "'"), "0\n");
  EXPECT_TRUE(output_of("rm -r '" + folder + "'").has_value());
}

TEST(SummaryTest, GoesIntoAFileAsJson) {
  const RecordedRun run =
      hooks_test::run({probe("processes"), "fork", "25"},
                      {.with_record = false, .environment = {"ALLOCGATE_OUTPUT=/dev/stdout", "ALLOCGATE_LEVEL=1"}});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output.find("{\"schema\": \"allocgate.summary/1\""), 0u) << run.output;
  EXPECT_NE(run.output.find("\"processes\": 2"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("\"allocations\": 35"), std::string::npos) << run.output;
  EXPECT_EQ(run.output.find("peak_live_bytes"), std::string::npos) << "not counted at level 1";
}

TEST(SummaryTest, NamesTheFileThatCannotBeWritten) {
  const RecordedRun run =
      hooks_test::run({probe("empty_c")}, {.with_record = false, .environment = {"ALLOCGATE_OUTPUT=/nowhere/%p.json"}});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.output.find("allocgate: /nowhere/"), std::string::npos) << run.output;
  EXPECT_NE(run.output.find(".json cannot be written"), std::string::npos) << run.output;
}

}  // namespace
}  // namespace allocgate::hooks_test
