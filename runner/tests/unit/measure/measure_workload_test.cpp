// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/measure_workload.hpp"

#include "played_adapter.hpp"
#include "process/find_program.hpp"

#include <allocgate/suite_protocol.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(MeasureAdapter, FindsTheLine) {
  ScriptedLauncher launcher([](auto& process, unsigned, auto&) { play_line(process, 75, 1); });
  const WorkloadResult result = measure_workload(adapter_workload(1000), options(), launcher);
  ASSERT_EQ(result.status, WorkloadStatus::ok) << result.error;
  EXPECT_EQ(result.name, "asio/noop");
  EXPECT_EQ(result.suite, "asio_suite");
  EXPECT_EQ(result.iterations, 1000U);
  EXPECT_EQ(launcher.launches(), 3U);
  const Series& allocations = result.measures.at("allocations");
  EXPECT_EQ(allocations.series_class, SeriesClass::exact);
  EXPECT_EQ(allocations.median, 75'001);
  EXPECT_EQ(allocations.linear, true);
  EXPECT_EQ(allocations.slope->count, 75);
  EXPECT_EQ(allocations.setup, 1);
  EXPECT_EQ(result.measures.at("live_allocations").median, 0);
  EXPECT_EQ(result.size_classes[3], 75'001U);
}

TEST(MeasureAdapter, KeepsWhatTheWorkloadSaysOfItself) {
  ScriptedLauncher launcher([](auto& process, unsigned, auto&) { play_line(process, 1, 0); });
  WorkloadInfo workload = adapter_workload();
  workload.gate = Gate::percent;
  workload.depends_on = {"compiler"};
  workload.does_not_depend_on = {"size"};
  workload.layers = {{"codec", "parse", 2}};
  const WorkloadResult result = measure_workload(workload, options(), launcher);
  EXPECT_EQ(result.gate, Gate::percent);
  EXPECT_EQ(result.depends_on, std::vector<std::string>{"compiler"});
  EXPECT_EQ(result.does_not_depend_on, std::vector<std::string>{"size"});
  EXPECT_EQ(result.layers, workload.layers);
}

TEST(MeasureAdapter, LeavesOutTheWarmUp) {
  const WorkloadResult result = measure([](auto& process, unsigned, auto&) {
    process.image();
    bool warm = false;
    for (const std::uint64_t iterations : process.asked_windows()) {
      process.window(iterations, iterations + (warm ? 0 : 500));
      warm = true;
    }
  });
  EXPECT_EQ(result.measures.at("allocations").max, 10);
}

TEST(MeasureAdapter, TakesTheCountOfALoopThatEndsWithAWholeBatch) {
  const WorkloadResult result = measure([](auto& process, unsigned, auto&) {
    process.image();
    for (const std::uint64_t iterations : process.asked_windows()) {
      const std::uint64_t whole_batches = (iterations + 15) / 16 * 16;
      process.window(whole_batches, 3 * whole_batches);
    }
  });
  ASSERT_EQ(result.status, WorkloadStatus::ok) << result.error;
  EXPECT_EQ(result.iterations, 16U) << "10 were asked for";
  EXPECT_EQ(result.measures.at("allocations").median, 48);
}

TEST(MeasureAdapter, GivesTheHooksAndOneWorkloadToEachProcess) {
  ScriptedLauncher launcher([](auto& process, unsigned, auto&) { play_line(process, 1, 0); });
  measure_workload(adapter_workload(), options(), launcher);
  const auto& environment = launcher.specs().front().environment;
  EXPECT_EQ(environment_value(environment, ALLOCGATE_ENV_SUITE_WORKLOAD), "asio/noop");
  EXPECT_EQ(environment_value(environment, ALLOCGATE_ENV_SUITE_WINDOWS), "10,10,20,30");
  EXPECT_EQ(environment_value(environment, "LD_PRELOAD"), "/proc/self/exe");
  EXPECT_NE(environment_value(environment, ALLOCGATE_ENV_RECORD),
            environment_value(launcher.specs().back().environment, ALLOCGATE_ENV_RECORD));
  EXPECT_TRUE(launcher.specs().front().timeout) << "a hanging workload must end by itself";
}

TEST(MeasureAdapter, TakesTheIterationsOfTheOptionsFirst) {
  MeasureOptions how = options();
  how.iterations = 7;
  ScriptedLauncher launcher([](auto& process, unsigned, auto&) { play_line(process, 1, 0); });
  EXPECT_EQ(measure_workload(adapter_workload(10), how, launcher).iterations, 7U);
}

TEST(MeasureAdapter, ChoosesIterationsOnceByTheTimeOfAWarmOne) {
  struct Case {
    std::uint64_t nanoseconds;
    std::uint64_t iterations;
  };
  for (const auto& [nanoseconds, iterations] :
       {Case{100, 1000}, Case{20'000, 1000}, Case{20'001, 100}, Case{1'000'000, 10}, Case{50'000'000, 1}}) {
    ScriptedLauncher launcher([nanoseconds = nanoseconds](auto& process, unsigned number, auto&) {
      play_line(process, 1, 0);
      if (number == 1) {
        process.window(1, 1);
        process.header().next_window -= 1;
        auto counts = process.asked_windows();
        ASSERT_EQ(counts, (std::vector<std::uint64_t>{1, 1}));
        process.header().next_window = 0;
        process.window(1, 1).duration_ns = 1'000'000'000;  // the cold one
        process.window(1, 1).duration_ns = nanoseconds;
      }
    });
    const WorkloadResult result = measure_workload(adapter_workload(0), options(), launcher);
    EXPECT_EQ(result.iterations, iterations) << nanoseconds;
    EXPECT_EQ(launcher.launches(), 4U) << "one process to choose, three to measure";
  }
}

TEST(MeasureAdapter, FollowsUpWhereProcessesDiffer) {
  ScriptedLauncher launcher([](auto& process, unsigned number, auto&) { play_line(process, 100, number % 2); });
  const WorkloadResult result = measure_workload(adapter_workload(), options(), launcher);
  EXPECT_EQ(launcher.launches(), 10U);
  const Series& allocations = result.measures.at("allocations");
  EXPECT_EQ(allocations.series_class, SeriesClass::stable);
  ASSERT_EQ(allocations.samples.size(), 2U);
  EXPECT_EQ(allocations.samples[0].value, 1000);
  EXPECT_EQ(allocations.samples[0].times, 5U);
  EXPECT_EQ(allocations.median, 1000) << "never a value between two modes";
}

TEST(MeasureAdapter, DoesNotFollowUpForAdvisoryMeasures) {
  ScriptedLauncher launcher([](auto& process, unsigned number, auto&) {
    process.image();
    for (const std::uint64_t iterations : process.asked_windows()) {
      process.window(iterations, iterations).peak_live_bytes = 1000 * number;
    }
  });
  const WorkloadResult result = measure_workload(adapter_workload(), options(), launcher);
  EXPECT_EQ(launcher.launches(), 3U);
  EXPECT_EQ(result.measures.at("peak_live_bytes").series_class, SeriesClass::noisy);
}

TEST(MeasureAdapter, SeesALeak) {
  const WorkloadResult result = measure([](auto& process, unsigned, auto&) {
    process.image();
    for (const std::uint64_t iterations : process.asked_windows()) {
      process.window(iterations, 5 * iterations).deallocations = 4 * iterations;
    }
  });
  EXPECT_EQ(result.measures.at("live_allocations").median, 10);
  EXPECT_EQ(result.measures.at("live_allocations").growth, 20);
}

TEST(MeasureAdapter, DerivesWhatIsNotInTheRecord) {
  const WorkloadResult result = measure([](auto& process, unsigned, auto&) {
    process.image();
    for (const std::uint64_t iterations : process.asked_windows()) {
      auto& window = process.window(iterations, iterations);
      window.allocated_bytes = 10 * iterations;
      window.allocated_usable_bytes = 24 * iterations;
      window.open_fds = 2;
    }
  });
  EXPECT_EQ(result.measures.at("slack_bytes").median, 140);
  EXPECT_EQ(result.measures.at("open_fds").median, 2);
}

TEST(MeasureAdapter, LeavesOutWhatIsNotCounted) {
  MeasureOptions how = options();
  how.usable_sizes = false;
  const WorkloadResult result = measure(
      adapter_workload(),
      [](auto& process, unsigned, auto&) {
        EXPECT_EQ(process.header().level, static_cast<std::uint32_t>(ALLOCGATE_LEVEL_COUNTS));
        process.image();
        for (const std::uint64_t iterations : process.asked_windows()) {
          process.window(iterations, 1).open_fds = -1;
        }
      },
      how);
  EXPECT_EQ(result.measures.count("peak_live_bytes"), 0U);
  EXPECT_EQ(result.measures.count("open_fds"), 0U);
  EXPECT_EQ(result.measures.count("allocations"), 1U);
}

TEST(MeasureAdapter, StatesTheErrorOfAPeakWithThreads) {
  const WorkloadResult result = measure([](auto& process, unsigned, auto&) {
    process.image().threads = 3;
    for (const std::uint64_t iterations : process.asked_windows()) {
      process.window(iterations, 1).peak_is_exact = 0;
    }
  });
  EXPECT_EQ(result.measures.at("peak_live_bytes").error_bound, 3 * 4096);
}

TEST(MeasureAdapter, KeepsTheProgramsOwnCounters) {
  const WorkloadResult result = measure([](auto& process, unsigned, auto&) {
    play_line(process, 1, 0);
    process.write_file(ALLOCGATE_ENV_SUITE_REPORT, R"({"schema": "allocgate.suite-report/1", "windows": [
      {"iterations": 10, "counters": {"requests": 10, "rate": 0.5}},
      {"iterations": 10, "counters": {"requests": 10, "rate": 0.5}},
      {"iterations": 20, "counters": {"requests": 20, "rate": 0.5}},
      {"iterations": 30, "counters": {"requests": 30, "rate": 0.5}}]})");
  });
  ASSERT_EQ(result.status, WorkloadStatus::ok) << result.error;
  EXPECT_EQ(result.measures.at("requests").median, 10);
  EXPECT_EQ(result.measures.count("rate"), 0U);
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("rate is not a whole number")));
}

TEST(MeasureAdapter, LeavesNoFolderBehind) {
  std::string record;
  measure([&](auto& process, unsigned, auto&) {
    record = environment_value(process.spec().environment, ALLOCGATE_ENV_RECORD).value();
    play_line(process, 1, 0);
  });
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(record).parent_path()));
}

TEST(MeasureAdapter, TellsItsProgress) {
  class Seen final : public MeasureProgress {
  public:
    void process_begins(std::string_view, unsigned number, unsigned expected) override {
      steps.emplace_back(number, expected);
    }
    std::vector<std::pair<unsigned, unsigned>> steps;
  };
  Seen seen;
  MeasureOptions how = options();
  how.progress = &seen;
  how.most_processes = 4;
  measure(
      adapter_workload(), [](auto& process, unsigned number, auto&) { play_line(process, 1, number); }, how);
  EXPECT_THAT(seen.steps, ElementsAre(std::pair(1U, 3U), std::pair(2U, 3U), std::pair(3U, 3U), std::pair(4U, 4U)));
}

TEST(MeasureConfiguredCommand, StartsAProcessForEachCount) {
  WorkloadInfo workload;
  workload.name = "mine";
  workload.kind = SuiteKind::command;
  workload.command = {"/bin/mine", "--count={iterations}"};
  workload.iterations = 5;
  ScriptedLauncher launcher([](auto& process, unsigned, auto&) {
    process.image();
    process.block().size_classes[0] = 100 + 2 * std::stoull(process.argument("--count=").value());
  });
  const WorkloadResult result = measure_workload(workload, options(), launcher);
  ASSERT_EQ(result.status, WorkloadStatus::ok) << result.error;
  EXPECT_EQ(launcher.launches(), 9U);
  EXPECT_EQ(result.measures.at("allocations").median, 110);
  EXPECT_EQ(result.measures.at("allocations").slope->count, 2);
  EXPECT_EQ(result.measures.at("allocations").setup, 100);
  EXPECT_THAT(result.command, ElementsAre("/bin/mine", "--count=5"));
}

}  // namespace
}  // namespace allocgate
