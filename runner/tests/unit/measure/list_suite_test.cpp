// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/suite_listing.hpp"

#include "base/error.hpp"
#include "scripted_launcher.hpp"

#include <allocgate/suite_protocol.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::HasSubstr;

const std::filesystem::path k_program = "/proc/self/exe";

std::string message_of(const std::filesystem::path& program, ScriptedLauncher::Script script, ExitCode code) {
  ScriptedLauncher launcher(std::move(script));
  try {
    list_suite(program, launcher);
    return "no failure";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
}

TEST(ListSuite, ReadsTheAdaptersListing) {
  ScriptedLauncher launcher([](auto& process, unsigned, auto&) {
    process.write_file(ALLOCGATE_ENV_SUITE_LIST, R"({"schema": "allocgate.suite/1", "workloads": [
      {"name": "asio/one", "core": "asio", "core_version": "1.22.1", "exercises": "one thing", "iterations": 100,
       "threads": 2, "gate": "min", "depends_on": ["compiler"], "does_not_depend_on": ["n"],
       "layers": [{"layer": "codec", "workload": "parse"}]}, {"name": "two"}]})");
  });
  const auto workloads = list_suite(k_program, launcher);
  ASSERT_EQ(workloads.size(), 2U);
  EXPECT_EQ(workloads[0].name, "asio/one");
  EXPECT_EQ(workloads[0].suite, "exe");
  EXPECT_EQ(workloads[0].kind, SuiteKind::adapter);
  EXPECT_EQ(workloads[0].core_version, "1.22.1");
  EXPECT_EQ(workloads[0].iterations, 100U);
  EXPECT_EQ(workloads[0].gate, Gate::min);
  EXPECT_EQ(workloads[0].depends_on, (std::vector<std::string>{"compiler", "core.asio"}));
  EXPECT_EQ(workloads[0].does_not_depend_on, std::vector<std::string>{"n"});
  EXPECT_EQ(workloads[0].layers, (std::vector<WorkloadLayer>{{"codec", "parse", 1}}));
  EXPECT_EQ(workloads[1].iterations, 0U);
}

TEST(ListSuite, ReadsGoogleBenchmarksOwn) {
  ScriptedLauncher launcher(
      [](auto&, unsigned, auto& outcome) { outcome.standard_output = "BM_a/8\nBM_b<int, 2>/real_time\n"; });
  const auto workloads = list_suite(k_program, launcher);
  ASSERT_EQ(workloads.size(), 2U);
  EXPECT_EQ(workloads[1].name, "BM_b<int, 2>/real_time");
  // This test links no libbenchmark.
  EXPECT_EQ(workloads[0].kind, SuiteKind::opaque);
}

TEST(ListSuite, SaysWhatIsWrong) {
  EXPECT_THAT(message_of(
                  "/no/such/program", [](auto&, unsigned, auto&) {}, ExitCode::usage),
              HasSubstr("no such file"));
  EXPECT_THAT(message_of(
                  k_program,
                  [](auto&, unsigned, auto& outcome) {
                    outcome.exit_code = 1;
                    outcome.last_lines = "unrecognized option";
                  },
                  ExitCode::not_measured),
              HasSubstr("unrecognized option"));
  EXPECT_THAT(message_of(
                  k_program, [](auto&, unsigned, auto&) {}, ExitCode::not_measured),
              HasSubstr("is it a google-benchmark program?"));
}

}  // namespace
}  // namespace allocgate
