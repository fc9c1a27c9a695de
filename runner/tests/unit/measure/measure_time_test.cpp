// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/measure_time.hpp"

#include "base/error.hpp"
#include "played_adapter.hpp"
#include "process/find_program.hpp"

#include <allocgate/suite_protocol.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace allocgate {
namespace {

using std::chrono::nanoseconds;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

WorkloadResult counted(const WorkloadInfo& workload, std::uint64_t iterations = 10) {
  WorkloadResult result;
  result.name = workload.name;
  result.iterations = iterations;
  return result;
}

WorkloadInfo command_workload() {
  WorkloadInfo workload;
  workload.name = "build";
  workload.kind = SuiteKind::command;
  workload.command = {"/bin/tool", "--times={iterations}"};
  return workload;
}

TimePlan plan(unsigned processes) {
  TimePlan plan;
  plan.processes = processes;
  return plan;
}

/// Measures with processes that play `script`; what was started is left in `specs`.
WorkloadResult time(const WorkloadInfo& workload, const TimePlan& how, ScriptedLauncher::Script script,
                    std::vector<LaunchSpec>* specs = nullptr) {
  ScriptedLauncher launcher(std::move(script));
  WorkloadResult result = counted(workload);
  measure_time(workload, how, launcher, result);
  if (specs != nullptr) {
    *specs = launcher.specs();
  }
  return result;
}

void play_loop(PlayedProcess& process, Count wall) {
  process.write_file(ALLOCGATE_ENV_SUITE_REPORT,
                     fmt::format(R"({{"schema": "allocgate.suite-report/1", "windows": [{{"iterations": 10}},
                       {{"iterations": 10, "times": {{"wall_time_ns": {}, "cpu_time_ns": 5, "page_faults": 2,
                         "context_switches": 1, "peak_resident_bytes": 4096}}}}]}})",
                                 wall));
}

TEST(MeasureTime, TakesTheLoopWhereTheProgramTimesIt) {
  std::vector<LaunchSpec> specs;
  const WorkloadResult result = time(
      adapter_workload(), plan(10),
      [](auto& process, unsigned number, LaunchOutcome& outcome) {
        outcome.used.wall_time = nanoseconds(999'999);
        play_loop(process, 100 * number);
      },
      &specs);
  EXPECT_EQ(result.status, WorkloadStatus::ok);
  const Series& wall = result.measures.at("wall_time_ns");
  EXPECT_EQ(wall.unit, "ns");
  EXPECT_EQ(wall.min, 100);
  EXPECT_EQ(wall.median, 500);
  EXPECT_EQ(wall.p90, 900);
  EXPECT_EQ(wall.samples.size(), 10U);
  EXPECT_FALSE(wall.linear);
  EXPECT_EQ(result.measures.at("peak_resident_bytes").median, 4096);
  EXPECT_EQ(result.measures.at("page_faults").series_class, SeriesClass::exact);
  EXPECT_TRUE(result.notes.empty());
  ASSERT_EQ(specs.size(), 10U);
  EXPECT_EQ(environment_value(specs.front().environment, ALLOCGATE_ENV_SUITE_WINDOWS), "10,10") << "a warm-up first";
  EXPECT_EQ(environment_value(specs.front().environment, ALLOCGATE_ENV_RECORD), std::nullopt);
  EXPECT_EQ(environment_value(specs.front().environment, "LD_PRELOAD"), std::nullopt);
}

TEST(MeasureTime, TakesTheProcessElsewhereAndSaysSo) {
  std::vector<LaunchSpec> specs;
  const WorkloadResult result = time(
      command_workload(), plan(3),
      [](auto&, unsigned number, LaunchOutcome& outcome) {
        outcome.used.wall_time = nanoseconds(70 + number);
        outcome.used.cpu_time = nanoseconds(60);
        outcome.used.page_faults = 5;
        outcome.used.context_switches = 4;
        if (number != 2) {
          outcome.used.peak_resident_bytes = 1;
        }
      },
      &specs);
  EXPECT_EQ(result.measures.at("wall_time_ns").median, 72);
  EXPECT_EQ(result.measures.at("context_switches").max, 4);
  EXPECT_EQ(result.measures.count("peak_resident_bytes"), 0U) << "one of them is not known";
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("of the whole process")));
  EXPECT_THAT(specs.front().argv, ElementsAre("/bin/tool", "--times=10"));
}

TEST(MeasureTime, KeepsTheCountsWhenABareRunFails) {
  WorkloadInfo workload = adapter_workload();
  ScriptedLauncher launcher([](auto&, unsigned, LaunchOutcome& outcome) { outcome.exit_code = 3; });
  WorkloadResult result = counted(workload);
  result.measures["allocations"] = Series();
  measure_time(workload, plan(3), launcher, result);
  EXPECT_EQ(launcher.launches(), 1U);
  EXPECT_EQ(result.status, WorkloadStatus::ok);
  EXPECT_EQ(result.measures.size(), 1U);
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("its time is not measured: without the hooks, it ended with exit "
                                                  "code 3")));
}

TEST(MeasureTime, SaysThatAnOlderAdapterTimesNothing) {
  const WorkloadResult result = time(adapter_workload(), plan(1), [](auto& process, unsigned, auto&) {
    process.write_file(ALLOCGATE_ENV_SUITE_REPORT,
                       R"({"schema": "allocgate.suite-report/1", "windows": [{"iterations": 10}]})");
  });
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("build it with this version")));
  EXPECT_TRUE(result.measures.empty());
}

TEST(MeasureTime, LeavesAWorkloadAloneThatCouldNotBeCounted) {
  WorkloadInfo workload = adapter_workload();
  ScriptedLauncher launcher([](auto&, unsigned, auto&) {});
  WorkloadResult result = counted(workload);
  result.status = WorkloadStatus::blind;
  measure_time(workload, plan(3), launcher, result);
  EXPECT_EQ(launcher.launches(), 0U);
}

TEST(MeasureTime, ScalesWhatSharedItsCounter) {
  TimePlan how = plan(1);
  how.event_names = {"instructions", "cycles"};
  how.events.resize(2);
  const WorkloadResult result = time(command_workload(), how, [](auto& process, unsigned, LaunchOutcome& outcome) {
    EXPECT_EQ(process.spec().events.size(), 2U);
    outcome.used.events = {{1000, 50, 50}, {1000, 50, 25}};
  });
  EXPECT_EQ(result.measures.at("instructions").median, 1000);
  EXPECT_EQ(result.measures.at("cycles").median, 2000);
  EXPECT_EQ(result.measures.at("cycles").unit, "count");
}

/// Plays valgrind: writes the file that its option names.
void play_callgrind(PlayedProcess& process, Count instructions) {
  std::string file = process.argument("--callgrind-out-file=").value();
  file.replace(file.find("%p"), 2, "7");
  std::ofstream(file) << "events: Ir\nfn=(1)\n1 5\n\ntotals: " << instructions << "\n";
}

TEST(MeasureTime, LetsCallgrindCountAtThreeCounts) {
  TimePlan how = plan(1);
  how.valgrind = "/usr/bin/valgrind";
  std::vector<LaunchSpec> specs;
  const WorkloadResult result = time(
      command_workload(), how,
      [](PlayedProcess& process, unsigned number, auto&) {
        if (number > 1) {
          const Count times = std::stoll(process.argument("--times=").value());
          play_callgrind(process, 50'000 + 7 * times);
        }
      },
      &specs);
  const Series& instructions = result.measures.at("instructions");
  EXPECT_EQ(instructions.series_class, SeriesClass::exact);
  EXPECT_EQ(instructions.median, 50'070);
  ASSERT_TRUE(instructions.slope);
  EXPECT_EQ(instructions.slope->count, 7);
  EXPECT_EQ(instructions.setup, 50'000);
  ASSERT_EQ(specs.size(), 5U);
  EXPECT_EQ(specs[1].argv.front(), "/usr/bin/valgrind");
  EXPECT_THAT(specs[1].argv, Contains("/bin/tool"));
}

TEST(MeasureTime, DoesNotTakeAFileWithoutATotal) {
  TimePlan how = plan(1);
  how.valgrind = "/usr/bin/valgrind";
  const WorkloadResult result = time(command_workload(), how, [](PlayedProcess& process, unsigned number, auto&) {
    if (number > 1) {
      std::ofstream(process.argument("--callgrind-out-file=").value()) << "events: Ir\n";
    }
  });
  EXPECT_EQ(result.measures.count("instructions"), 0U);
  EXPECT_THAT(result.notes, Contains(HasSubstr("without a total")));
}

TEST(PlanTime, RefusesAnEventThatHasNoSuchName) {
  try {
    plan_time(1, InstructionCounter::perf, {"page-fault"});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("did you mean page-faults?"));
  }
}

TEST(PlanTime, HasEachEventAskedForOrASentence) {
  const TimePlan made = plan_time(4, InstructionCounter::perf, {"task-clock", "instructions", "task-clock"});
  EXPECT_EQ(made.processes, 4U);
  EXPECT_EQ(made.events.size(), made.event_names.size());
  EXPECT_EQ(made.events.size() + made.absent.size(), 2U);
}

}  // namespace
}  // namespace allocgate
