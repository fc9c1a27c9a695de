// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The call stacks that are recorded of windows add up to what the windows counted, exactly.

#include "measured_program.hpp"
#include "test_paths.hpp"

#include "process/stack_contents.hpp"

#include <allocgate/stack_record.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <string_view>

namespace allocgate::test {

namespace {

struct Recorded {
  Outcome outcome;
  StackSection section;
};

std::filesystem::path stacks_folder() {
  const std::filesystem::path folder = test_folder() / "stacks";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  return folder;
}

// Runs the program with its windows recorded; all of them where no number is given.
Recorded record(Program program, const std::string& window = "") {
  const std::filesystem::path folder = stacks_folder();
  program.environment[ALLOCGATE_ENV_STACKS] = folder.string();
  program.environment[ALLOCGATE_ENV_STACKS_PAUSED] = "1";
  program.environment[ALLOCGATE_ENV_STACKS_LIVE] = "1";
  if (!window.empty()) {
    program.environment[ALLOCGATE_ENV_STACKS_WINDOW] = window;
  }
  Recorded recorded;
  recorded.outcome = run(program);
  EXPECT_EQ(recorded.outcome.exit_code, 0) << recorded.outcome.output;
  for (StackSection& section : read_stack_sections(folder)) {
    EXPECT_EQ(section.damage, std::nullopt);
    if (!recorded.outcome.windows.empty() && section.process == recorded.outcome.windows[0].process) {
      recorded.section = std::move(section);
    }
  }
  return recorded;
}

// What the windows counted whose stacks are said to be recorded.
struct Counted {
  StackCounters counters;
  StackLife life;
};
Counted recorded_windows(const Outcome& outcome) {
  Counted sum;
  for (const allocgate_window_entry& window : outcome.windows) {
    if ((window.flags & ALLOCGATE_WINDOW_STACKS) != 0) {
      StackCounters counters;
      counters.allocations = window.allocations;
      counters.bytes = window.allocated_bytes;
      std::copy(std::begin(window.size_classes), std::end(window.size_classes), counters.size_classes.begin());
      sum.counters.add(counters);
      sum.life.deallocations += window.deallocations;
      sum.life.deallocated_bytes += window.deallocated_bytes;
      sum.life.live_bytes += window.live_bytes;
    }
  }
  return sum;
}

void expect_sums(const Recorded& recorded) {
  EXPECT_TRUE(recorded.section.partial);
  EXPECT_FALSE(recorded.section.truncated);
  EXPECT_EQ(recorded.section.unattributed, StackCounters{});
  const StackCounters stacks = recorded.section.total();
  const Counted windows = recorded_windows(recorded.outcome);
  EXPECT_EQ(stacks.allocations, windows.counters.allocations);
  EXPECT_EQ(stacks.bytes, windows.counters.bytes);
  EXPECT_EQ(stacks.size_classes, windows.counters.size_classes);
  const StackLife life = recorded.section.total_life();
  EXPECT_EQ(life.deallocations, windows.life.deallocations);
  EXPECT_EQ(life.deallocated_bytes, windows.life.deallocated_bytes);
  EXPECT_EQ(life.live_bytes, windows.life.live_bytes);
}

// Allocations an iteration, in every shape a loop has.
struct Loop {
  const char* workload;
  std::uint64_t allocations;
};
constexpr Loop k_loops[] = {{"two", 2},    {"paused", 3},          {"threads/threads:2", 6}, {"threads/threads:5", 15},
                            {"helper", 7}, {"Prepared/fixture", 1}};

TEST(StacksOfWindows, OfTheAdapterAddUp) {
  for (const auto& [workload, allocations] : k_loops) {
    SCOPED_TRACE(workload);
    const Recorded recorded = record(suite_run(k_loops_with_adapter, workload, "1,1,2,3"));
    ASSERT_EQ(recorded.outcome.windows.size(), 4U);
    for (const allocgate_window_entry& window : recorded.outcome.windows) {
      EXPECT_EQ(window.flags, ALLOCGATE_WINDOW_STACKS);
    }
    EXPECT_EQ(recorded.section.total().allocations, 7 * allocations);
    expect_sums(recorded);
  }
}

TEST(StacksOfWindows, OfOneNumberAreThoseOfThatWindow) {
  for (const auto& [workload, allocations] : k_loops) {
    SCOPED_TRACE(workload);
    const Recorded recorded = record(suite_run(k_loops_with_adapter, workload, "1,1,2,3"), "2");
    ASSERT_EQ(recorded.outcome.windows.size(), 4U);
    for (std::size_t index = 0; index < 4; ++index) {
      EXPECT_EQ(recorded.outcome.windows[index].flags, index == 2 ? std::uint32_t{ALLOCGATE_WINDOW_STACKS} : 0U);
    }
    EXPECT_EQ(recorded.section.total().allocations, 2 * allocations);
    expect_sums(recorded);
  }
}

TEST(StacksOfWindows, OfTheForwarderAddUp) {
  if (std::string_view(k_benchmark_library_type) != "SHARED_LIBRARY") {
    GTEST_SKIP() << "google-benchmark is a " << k_benchmark_library_type << " here, which no preloaded library can see";
  }
  // Not the helper: of as many iterations as google-benchmark chooses its window is given up before it is drained.
  for (const char* const workload : {"two", "paused", "threads/threads:2", "threads/threads:5", "Prepared/fixture"}) {
    SCOPED_TRACE(workload);
    const Recorded recorded =
        record({.path = k_loops_without_adapter,
                .arguments = {std::string("--benchmark_filter=^") + workload + "$", "--benchmark_min_time=0.005"},
                .preload = {k_hooks, k_forwarder}});
    ASSERT_GE(recorded.outcome.windows.size(), 1U);
    EXPECT_GT(recorded.section.total().allocations, 0U);
    expect_sums(recorded);
  }
}

TEST(StacksOfWindows, EndWithALoopThatIsLeft) {
  const Recorded recorded = record(suite_run(k_loops_with_adapter, "fails_and_breaks", "1,1"));
  ASSERT_EQ(recorded.outcome.windows.size(), 2U);
  EXPECT_EQ(recorded.outcome.windows[0].flags, ALLOCGATE_WINDOW_ERROR | ALLOCGATE_WINDOW_STACKS);
  // What google-benchmark does until it gives the loop up is recorded, and nothing after that.
  EXPECT_LT(recorded.section.total().allocations, 100U);
}

TEST(StacksOfWindows, ChangeNothingWhereTheWholeProcessIsRecorded) {
  const std::filesystem::path folder = stacks_folder();
  Program program = suite_run(k_loops_with_adapter, "two", "1,2");
  program.environment[ALLOCGATE_ENV_STACKS] = folder.string();
  const Outcome outcome = run(program);
  ASSERT_EQ(outcome.windows.size(), 2U) << outcome.output;
  EXPECT_EQ(outcome.windows[0].flags, 0U);
  const std::vector<StackSection> sections = read_stack_sections(folder);
  ASSERT_EQ(sections.size(), 1U);
  EXPECT_FALSE(sections[0].partial);
  EXPECT_GT(sections[0].total().allocations, 3000U) << "before and after the windows too";
}

// The claim itself, over everything that the suite measures.
TEST(StacksOfWindows, OfEachWorkloadAddUp) {
  std::size_t recorded_workloads = 0;
  for (const auto& [name, listed] : list_suite()) {
    SCOPED_TRACE(name);
    const Recorded recorded = record(suite_run(listed.program, name, "1,1,2"), "2");
    if (recorded.outcome.windows.size() != 3 || (recorded.outcome.windows[2].flags & ALLOCGATE_WINDOW_ERROR) != 0) {
      continue;  // what keeps it from running here, the tests of workloads say
    }
    EXPECT_EQ(recorded.outcome.windows[2].flags, ALLOCGATE_WINDOW_STACKS);
    expect_sums(recorded);
    recorded_workloads += 1;
  }
  std::cout << recorded_workloads << " workloads recorded\n";
  EXPECT_GT(recorded_workloads, 0U);
}

}  // namespace

}  // namespace allocgate::test
