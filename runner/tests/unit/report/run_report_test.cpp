// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/run_report.hpp"

#include "example_documents.hpp"
#include "report/text_width.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace allocgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Result example_result() {
  Series growing = linear_series(1, 0, 10);
  growing.growth = 20;
  WorkloadResult good = example_workload("asio/ping", {{"allocations", linear_series(75, 1, 10)},
                                                       {"allocated_bytes", linear_series(1024, 0, 10)},
                                                       {"live_allocations", growing}});
  WorkloadResult failed = example_workload("beast/crash", {});
  failed.status = WorkloadStatus::failed;
  failed.error = "ended by SIGSEGV\nlast line of its output";
  return result_with({good, failed});
}

TEST(RunReport, IsOneRowAWorkloadThenWhatItHasNoRoomFor) {
  EXPECT_EQ(run_report(example_result(), Style(), 80),
            "workload     allocations  once  bytes  live  class\n"
            "asio/ping             75    +1  1 024     1  exact\n"
            "beast/crash            -            -     -  failed\n"
            "(per iteration; \"once\" does not repeat)\n"
            "\n"
            "note: asio/ping\n"
            "  live allocations grow: 1 per iteration\n"
            "\n"
            "note: asio/ping\n"
            "  allocations: 75 per iteration + 1 once\n"
            "\n"
            "failed: beast/crash\n"
            "  ended by SIGSEGV\n"
            "  last line of its output\n"
            "\n"
            "1 workload measured, 1 failed on debian12-x86_64-glibc2.36-gcc12.2 in 0 ns\n");
}

TEST(RunReport, SaysWhenTooFewProcessesDecidedTheClass) {
  Result result = example_result();
  Series& allocations = result.workloads.front().measures.at("allocations");
  for (const std::uint64_t processes : {1U, 2U, 3U}) {
    allocations.samples = {{75, processes}};
    EXPECT_EQ(run_report(result, Style(), 80).find("the classes are not proven") != std::string::npos, processes < 3);
  }
}

TEST(RunReport, ListsTheValuesOfASeriesThatHasSeveral) {
  const Result result =
      result_with({example_workload("w", {{"allocations", spread_series(SeriesClass::stable, 100, 101, 102)}})});
  EXPECT_THAT(run_report(result, Style(), 80), HasSubstr("(100 x1, 101 x1, 102 x1)\n"));
  EXPECT_THAT(workload_details(result.workloads.front(), Style(), 80),
              HasSubstr("values of allocations: 100 x1, 101 x1, 102 x1\n"));
}

TEST(RunReport, StaysWithinEightyColumns) {
  Result result = full_result();
  result.workloads.front().name = std::string(300, 'n');
  result.workloads.front().error = "short";
  std::istringstream lines(run_report(result, Style(), 80).substr(0, 400));
  std::string line;
  for (int i = 0; i < 3 && std::getline(lines, line); ++i) {
    EXPECT_LE(display_width(line), 80U) << line;
  }
}

TEST(WorkloadDetails, ShowsEveryMeasureAndTheSizes) {
  const std::string text = workload_details(full_result().workloads.back(), Style(), 80);
  for (const char* part : {"allocations", "live_allocations", "peak_live_bytes", "own_counter", "5 x 1, 7 x 3-4",
                           "/usr/bin/child", "note: a note", "command: suite/asio '--flag=a b'"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(RunMarkdown, ListsFailuresOnOneLine) {
  const std::string text = run_markdown(example_result());
  EXPECT_THAT(text, HasSubstr("- **failed** `beast/crash`: ended by SIGSEGV\n"));
  EXPECT_THAT(text, Not(HasSubstr("last line of its output")));
}

}  // namespace
}  // namespace allocgate
