// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/error.hpp"
#include "measure/measure_workload.hpp"
#include "played_adapter.hpp"

#include <allocgate/suite_protocol.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace allocgate {
namespace {

using ::testing::HasSubstr;

TEST(MeasureAdapter, FailsWithTheWorkloadsOwnWords) {
  const WorkloadResult result = measure([](auto& process, unsigned, auto& outcome) {
    process.image();
    process.window(10, 0).flags = ALLOCGATE_WINDOW_ERROR;
    process.write_file(ALLOCGATE_ENV_SUITE_REPORT, R"({"schema": "allocgate.suite-report/1", "windows": [
      {"iterations": 10, "error": "connect: refused"}]})");
    outcome.exit_code = 1;
  });
  EXPECT_EQ(result.status, WorkloadStatus::failed);
  EXPECT_THAT(result.error, HasSubstr("connect: refused"));
  EXPECT_TRUE(result.measures.empty());
}

TEST(MeasureAdapter, FailsWhenAWindowWasNotDrained) {
  const WorkloadResult result = measure([](auto& process, unsigned, auto&) {
    process.image();
    for (const std::uint64_t iterations : process.asked_windows()) {
      process.window(iterations, 1).flags = iterations == 20 ? ALLOCGATE_WINDOW_NOT_DRAINED : 0;
    }
  });
  EXPECT_EQ(result.status, WorkloadStatus::failed);
  EXPECT_THAT(result.error, HasSubstr("20 iterations"));
}

TEST(MeasureAdapter, FailsWithExitCodeAndLastLines) {
  const WorkloadResult result = measure([](auto& process, unsigned, auto& outcome) {
    process.image();
    outcome.exit_code = 3;
    outcome.last_lines = "cannot bind";
  });
  EXPECT_EQ(result.status, WorkloadStatus::failed);
  EXPECT_THAT(result.error, HasSubstr("exit code 3"));
  EXPECT_THAT(result.error, HasSubstr("cannot bind"));
}

TEST(MeasureAdapter, FailsWithTheNameOfTheSignal) {
  const WorkloadResult result = measure([](auto& process, unsigned, auto& outcome) {
    process.image();
    outcome.kind = LaunchOutcome::Kind::signalled;
    outcome.signal = SIGSEGV;
  });
  EXPECT_EQ(result.status, WorkloadStatus::failed);
  EXPECT_THAT(result.error, HasSubstr("SIGSEGV (Segmentation fault)"));
}

TEST(MeasureAdapter, FailsWhenALaterProcessFails) {
  ScriptedLauncher launcher([](auto& process, unsigned number, auto& outcome) {
    play_line(process, 1, 0);
    outcome.exit_code = number == 3 ? 1 : 0;
  });
  const WorkloadResult result = measure_workload(adapter_workload(), options(), launcher);
  EXPECT_EQ(result.status, WorkloadStatus::failed);
  EXPECT_EQ(launcher.launches(), 3U);
}

TEST(MeasureAdapter, TellsATimeout) {
  MeasureOptions how = options();
  how.timeout = std::chrono::seconds(2);
  const WorkloadResult result = measure(
      adapter_workload(),
      [](auto& process, unsigned, auto& outcome) {
        process.image();
        outcome.kind = LaunchOutcome::Kind::timed_out;
      },
      how);
  EXPECT_EQ(result.status, WorkloadStatus::timeout);
  EXPECT_THAT(result.error, HasSubstr("--timeout"));
}

TEST(MeasureAdapter, IsBlindWithoutARecord) {
  const WorkloadResult result = measure([](auto&, unsigned, auto&) {});
  EXPECT_EQ(result.status, WorkloadStatus::blind);
  EXPECT_THAT(result.error, HasSubstr("the hooks did not start"));
}

TEST(MeasureAdapter, IsBlindWithoutWindows) {
  const WorkloadResult result = measure([](auto& process, unsigned, auto&) { process.image(); });
  EXPECT_EQ(result.status, WorkloadStatus::blind);
  EXPECT_THAT(result.error, HasSubstr("0 of 4 windows"));
}

TEST(MeasureAdapter, IsBlindWhereTheProofIsMissing) {
  struct Case {
    std::uint32_t flag;
    const char* sentence;
  };
  for (const auto& [flag, sentence] : {Case{ALLOCGATE_PROCESS_SHADOWED, "do not reach the hooks"},
                                       Case{ALLOCGATE_PROCESS_BLOCKS_EXHAUSTED, "events are missing"}}) {
    const WorkloadResult result = measure([flag = flag](auto& process, unsigned, auto&) {
      process.image().flags = flag;
      for (const std::uint64_t iterations : process.asked_windows()) {
        process.window(iterations, 1);
      }
    });
    EXPECT_EQ(result.status, WorkloadStatus::blind);
    EXPECT_THAT(result.error, HasSubstr(sentence));
    EXPECT_TRUE(result.measures.empty());
  }
}

TEST(MeasureAdapter, IsBlindWhenAnImageIsNotCounted) {
  const WorkloadResult result = measure([](auto& process, unsigned, auto&) {
    play_line(process, 1, 0);
    process.header().images_not_counted = 2;
  });
  EXPECT_EQ(result.status, WorkloadStatus::blind);
}

TEST(MeasureAdapter, SurvivesAProgramThatWritesOverItsRecord) {
  const WorkloadResult result = measure([](auto& process, unsigned, auto&) {
    play_line(process, 1, 0);
    process.header().windows_offset = 7;
  });
  EXPECT_EQ(result.status, WorkloadStatus::blind);
  EXPECT_THAT(result.error, HasSubstr("damaged"));
}

TEST(MeasureAdapter, FailsWhenTheReportIsNoJson) {
  const WorkloadResult result = measure([](auto& process, unsigned, auto&) {
    play_line(process, 1, 0);
    process.write_file(ALLOCGATE_ENV_SUITE_REPORT, "{");
  });
  EXPECT_EQ(result.status, WorkloadStatus::failed);
}

TEST(MeasureAdapter, CannotGoOnWithoutTheAllocator) {
  MeasureOptions how = options();
  how.allocator = "nomalloc";
  ScriptedLauncher launcher([](auto&, unsigned, auto&) {});
  EXPECT_THROW(measure_workload(adapter_workload(), how, launcher), Error);
  EXPECT_EQ(launcher.launches(), 0U);
}

}  // namespace
}  // namespace allocgate
