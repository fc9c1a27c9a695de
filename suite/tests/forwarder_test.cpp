// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measured_program.hpp"
#include "test_paths.hpp"

#include <allocgate/suite_protocol.h>

#include <gtest/gtest.h>

namespace allocgate::test {

namespace {

// An unmodified google-benchmark program under hooks and forwarder.
Program forwarded(const std::string& filter) {
  return {.path = k_loops_without_adapter,
          .arguments = {"--benchmark_filter=" + filter, "--benchmark_min_time=0.05"},
          .preload = {k_hooks, k_forwarder}};
}

void expect_line(const std::string& filter, std::uint64_t allocations, std::uint32_t threads = 1) {
  const Outcome outcome = run(forwarded(filter));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  ASSERT_GE(outcome.windows.size(), 3U) << outcome.output;
  for (const allocgate_window_entry& window : outcome.windows) {
    EXPECT_EQ(window.flags, 0U);
    EXPECT_EQ(window.threads, threads);
    EXPECT_EQ(window.allocations, allocations * window.iterations);
    EXPECT_EQ(window.deallocations, window.allocations);
    EXPECT_EQ(window.open_fds, 0);
  }
  EXPECT_GT(outcome.windows.back().iterations, outcome.windows.front().iterations);
}

TEST(Forwarder, PutsTheRampOnOneLine) {
  expect_line("^two$", 2);
}
TEST(Forwarder, LeavesPausedSectionsOut) {
  expect_line("^paused$", 3);
}
TEST(Forwarder, AddsThreadsUp) {
  expect_line("^threads/threads:2$", 6, 2);
}

TEST(Forwarder, CountsWhatBatchesRan) {
  const Outcome outcome = run(forwarded("^batches$"));
  ASSERT_GE(outcome.windows.size(), 2U) << outcome.output;
  EXPECT_EQ(outcome.windows.front().iterations, 10U);
  for (const allocgate_window_entry& window : outcome.windows) {
    EXPECT_EQ(window.allocations, 4 * window.iterations);
  }
}

TEST(Forwarder, MarksFailedWindows) {
  for (const char* filter : {"^fails_before_its_loop$", "^fails_and_breaks$", "^fails_and_goes_on$"}) {
    const Outcome outcome = run(forwarded(filter));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    ASSERT_EQ(outcome.windows.size(), 1U) << filter;
    EXPECT_EQ(outcome.windows[0].flags, ALLOCGATE_WINDOW_ERROR) << filter;
  }
}

TEST(Forwarder, GoesOnAfterALoopThatWasLeft) {
  const Outcome outcome = run(forwarded("^fails_and_breaks$|^Prepared/fixture$"));
  ASSERT_GE(outcome.windows.size(), 4U) << outcome.output;
  EXPECT_EQ(outcome.windows[0].flags, ALLOCGATE_WINDOW_ERROR);
  for (std::size_t index = 1; index < outcome.windows.size(); ++index) {
    EXPECT_EQ(outcome.windows[index].flags, 0U);
    EXPECT_EQ(outcome.windows[index].allocations, outcome.windows[index].iterations);
  }
}

TEST(Forwarder, LeavesAnAdapterToItself) {
  Program both = suite_run(k_loops_with_adapter, "two", "1,2,3");
  both.preload.emplace_back(k_forwarder);
  const Outcome outcome = run(both);
  ASSERT_EQ(outcome.windows.size(), 3U) << outcome.output;
  EXPECT_EQ(outcome.windows[2].allocations, 6U);
}

TEST(Forwarder, DoesNothingToOtherPrograms) {
  const Outcome outcome = run({.path = "/bin/echo", .arguments = {"hello"}, .preload = {k_hooks, k_forwarder}});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output, "hello\n");
  EXPECT_EQ(outcome.windows.size(), 0U);
}

TEST(Forwarder, OnlyForwardsWithoutHooks) {
  Program alone = forwarded("^two$");
  alone.preload = {k_forwarder};
  const Outcome outcome = run(alone);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.windows.size(), 0U);
}

}  // namespace

}  // namespace allocgate::test
