// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/core_report.hpp"

#include "example_documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t k_width = 60;

WorkloadResult over(const std::string& core, const std::string& name, Count allocations) {
  WorkloadResult workload = example_workload(core + "/" + name, {{"allocations", linear_series(allocations, 0, 10)},
                                                                 {"allocated_bytes", linear_series(1024, 0, 10)}});
  workload.suite = core;
  workload.depends_on = {"core." + core};
  return workload;
}

TEST(CoreReport, HasAColumnACoreWhereThatFits) {
  const Result result =
      result_with({over("asio", "ping", 5), over("uv", "ping", 4005), over("uv", "udp", 7), over("asio", "alone", 1)});
  EXPECT_EQ(core_report(result, Style(), k_width),
            "The same on different cores, allocations and bytes per iteration:\n"
            "workload  asio  bytes     uv  bytes\n"
            "ping         5  1 024  4 005  1 024\n");
  EXPECT_EQ(core_markdown(result, k_width),
            "The same on different cores, allocations and bytes per iteration:\n\n"
            "| workload | asio | bytes | uv | bytes |\n"
            "| --- | ---: | ---: | ---: | ---: |\n"
            "| ping | 5 | 1 024 | 4 005 | 1 024 |\n");
}

TEST(CoreReport, HasALineACoreWhereColumnsDoNotFit) {
  const Result result = result_with(
      {over("asio", "ping", 5), over("uv", "ping", 4005), over("libevent", "udp", 4010), over("uv", "udp", 2000)});
  EXPECT_EQ(core_report(result, Style(), 40),
            "The same on different cores, allocations and bytes per iteration:\n"
            "workload  core      allocations  bytes\n"
            "ping      asio                5  1 024\n"
            "          uv              4 005  1 024\n"
            "udp       libevent        4 010  1 024\n"
            "          uv              2 000  1 024\n");
}

TEST(CoreReport, AnAverageIsMarked) {
  WorkloadResult noisy = over("uv", "ping", 0);
  noisy.gate = Gate::min;
  noisy.measures["allocations"] = spread_series(SeriesClass::noisy, 15, 20, 30);
  const std::string text = core_report(result_with({over("asio", "ping", 5), noisy}), Style(), k_width);
  EXPECT_THAT(text, HasSubstr(" ~1.5 "));
}

TEST(CoreReport, IsEmptyWithoutSharedWorkloads) {
  WorkloadResult failed = over("asio", "udp", 5);
  failed.status = WorkloadStatus::failed;
  WorkloadResult own = example_workload("parse/64", {{"allocations", exact_series(3)}});
  own.depends_on = {"core.http"};
  WorkloadResult other = own;
  other.name = "format/64";
  EXPECT_EQ(
      core_report(result_with({over("asio", "ping", 5), failed, over("uv", "udp", 1), own, other}), Style(), k_width),
      "");
}

}  // namespace
}  // namespace allocgate
