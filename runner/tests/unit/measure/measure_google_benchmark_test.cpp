// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/measure_workload.hpp"

#include "scripted_launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace allocgate {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

WorkloadInfo workload_of(SuiteKind kind) {
  WorkloadInfo workload;
  workload.name = "BM_(x)[y]/8";
  workload.program = "/bin/sh";  // any that can be counted: this test, when it is built with a sanitizer, cannot
  workload.kind = kind;
  return workload;
}

MeasureOptions options() {
  MeasureOptions options;
  options.installation.hooks = "/proc/self/exe";
  options.installation.forwarder = "/proc/self/exe";
  return options;
}

/// google-benchmark's ramp for a case of which `iterations` fill the asked time: ten times more until then.
void play_ramp(PlayedProcess& process, std::uint64_t per_iteration) {
  process.image();
  const double seconds = std::stod(process.argument("--benchmark_min_time=").value());
  process.window(1, per_iteration + 50);  // the warm-up: one-time work of the program is in it
  for (std::uint64_t iterations = 1;; iterations *= 10) {
    process.window(iterations, per_iteration * iterations);
    if (static_cast<double>(iterations) * 1e-4 >= seconds) {
      break;
    }
  }
}

TEST(MeasureForwarded, RaisesTheTimeUntilTheRampHasThreeCounts) {
  ScriptedLauncher launcher([](auto& process, unsigned, auto&) { play_ramp(process, 2); });
  const WorkloadResult result = measure_workload(workload_of(SuiteKind::forwarded), options(), launcher);
  ASSERT_EQ(result.status, WorkloadStatus::ok) << result.error;
  EXPECT_EQ(result.iterations, 1U);
  EXPECT_EQ(result.measures.at("allocations").median, 2);
  EXPECT_EQ(result.measures.at("allocations").slope->count, 2);
  EXPECT_EQ(result.measures.at("allocations").setup, 0);
  EXPECT_EQ(launcher.launches(), 2U + 3U) << "two ramps were too short";
  EXPECT_THAT(launcher.specs().front().argv, Contains("--benchmark_filter=^BM_\\(x\\)\\[y]/8$"));
  for (std::size_t number = 2; number < launcher.specs().size(); ++number) {
    EXPECT_THAT(launcher.specs()[number].argv, Contains("--benchmark_min_time=0.01"));
  }
}

TEST(MeasureForwarded, TakesACaseThatSetsItsOwnCount) {
  const WorkloadResult result = [] {
    ScriptedLauncher launcher([](auto& process, unsigned, auto&) {
      process.image();
      process.window(5, 10);
    });
    return measure_workload(workload_of(SuiteKind::forwarded), options(), launcher);
  }();
  ASSERT_EQ(result.status, WorkloadStatus::ok) << result.error;
  EXPECT_EQ(result.iterations, 5U);
  EXPECT_EQ(result.measures.at("allocations").median, 10);
  EXPECT_EQ(result.measures.at("allocations").linear, std::nullopt);
  EXPECT_THAT(result.notes, Contains(HasSubstr("fewer than three")));
}

TEST(MeasureForwarded, IsBlindWithoutWindows) {
  ScriptedLauncher launcher([](auto& process, unsigned, auto&) { process.image(); });
  const WorkloadResult result = measure_workload(workload_of(SuiteKind::forwarded), options(), launcher);
  EXPECT_EQ(result.status, WorkloadStatus::blind);
  EXPECT_THAT(result.error, HasSubstr("forwarders"));
}

TEST(MeasureForwarded, FailsWithTheCasesOwnWords) {
  ScriptedLauncher launcher([](auto& process, unsigned, auto&) {
    play_ramp(process, 1);
    std::ofstream(process.argument("--benchmark_out=").value())
        << R"({"context": {}, "benchmarks": [{"name": "BM_(x)[y]/8", "run_type": "iteration", "iterations": 0,)"
        << R"( "error_occurred": true, "error_message": "no socket"}]})";
  });
  const WorkloadResult result = measure_workload(workload_of(SuiteKind::forwarded), options(), launcher);
  EXPECT_EQ(result.status, WorkloadStatus::failed);
  EXPECT_THAT(result.error, HasSubstr("no socket"));
}

TEST(MeasureForwarded, StandsWithoutAReportThatIsNoJson) {
  ScriptedLauncher launcher([](auto& process, unsigned, auto&) {
    play_ramp(process, 1);
    std::ofstream(process.argument("--benchmark_out=").value())
        << R"({"context": {}, "benchmarks": [{"name": "a", "run_type": "iteration", "iterations": 1, "x": NaN}]})";
  });
  const WorkloadResult result = measure_workload(workload_of(SuiteKind::forwarded), options(), launcher);
  EXPECT_EQ(result.status, WorkloadStatus::ok) << result.error;
  EXPECT_THAT(result.notes, Contains(HasSubstr("counters are not shown")));
}

TEST(MeasureOpaque, CountsTheWholeProcessAndSaysSo) {
  ScriptedLauncher launcher([](auto& process, unsigned, auto&) {
    process.image();
    process.block().size_classes[4] = 1234;
  });
  const WorkloadResult result = measure_workload(workload_of(SuiteKind::opaque), options(), launcher);
  ASSERT_EQ(result.status, WorkloadStatus::ok) << result.error;
  EXPECT_EQ(result.iterations, 1U);
  EXPECT_EQ(result.measures.at("allocations").median, 1234);
  EXPECT_EQ(result.measures.at("allocations").linear, std::nullopt);
  EXPECT_THAT(result.notes, Contains(HasSubstr("totals of the whole process")));
  EXPECT_THAT(launcher.specs().front().argv, Contains("--benchmark_min_time=0"));
}

}  // namespace
}  // namespace allocgate
