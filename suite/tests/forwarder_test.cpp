// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measured_program.hpp"
#include "test_paths.hpp"

#include <allocgate/suite_protocol.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate::test {

namespace {

// Nothing stands before the functions of a static libbenchmark.
class ForwarderBeforeSharedLibrary : public testing::Test {
protected:
  void SetUp() override {
    if (std::string_view(k_benchmark_library_type) != "SHARED_LIBRARY") {
      GTEST_SKIP() << "google-benchmark is a " << k_benchmark_library_type
                   << " here, which no preloaded library can see";
    }
  }
};

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

TEST_F(ForwarderBeforeSharedLibrary, PutsTheRampOnOneLine) {
  expect_line("^two$", 2);
}
TEST_F(ForwarderBeforeSharedLibrary, LeavesPausedSectionsOut) {
  expect_line("^paused$", 3);
}
TEST_F(ForwarderBeforeSharedLibrary, AddsThreadsUp) {
  expect_line("^threads/threads:2$", 6, 2);
}

TEST_F(ForwarderBeforeSharedLibrary, CountsWhatBatchesRan) {
  const Outcome outcome = run(forwarded("^batches$"));
  ASSERT_GE(outcome.windows.size(), 2U) << outcome.output;
  EXPECT_EQ(outcome.windows.front().iterations, 10U);
  for (const allocgate_window_entry& window : outcome.windows) {
    EXPECT_EQ(window.allocations, 4 * window.iterations);
  }
}

TEST_F(ForwarderBeforeSharedLibrary, MarksFailedWindows) {
  for (const char* filter : {"^fails_before_its_loop$", "^fails_and_breaks$", "^fails_and_goes_on$"}) {
    const Outcome outcome = run(forwarded(filter));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    ASSERT_EQ(outcome.windows.size(), 1U) << filter;
    EXPECT_EQ(outcome.windows[0].flags, ALLOCGATE_WINDOW_ERROR) << filter;
  }
}

TEST_F(ForwarderBeforeSharedLibrary, GoesOnAfterALoopThatWasLeft) {
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

// What the group of `pattern` is in each of its matches, sorted.
std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match) {
    found.push_back((*match)[1]);
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(Forwarder, NeedsLibcAloneAndExportsWhatItForwards) {
  if (*k_readelf == '\0') {
    GTEST_SKIP() << "readelf is not installed (Debian: binutils)";
  }
  const Outcome dynamic = run({.path = k_readelf, .arguments = {"-dW", k_forwarder}});
  EXPECT_EQ(matches(dynamic.output, R"(\(NEEDED\).*\[(\S+)\])"), std::vector<std::string>{"libc.so.6"})
      << dynamic.output;

  const Outcome segments = run({.path = k_readelf, .arguments = {"-lW", k_forwarder}});
  EXPECT_EQ(segments.output.find(" TLS "), std::string::npos) << "each thread would allocate more";

  const Outcome symbols = run({.path = k_readelf, .arguments = {"--dyn-syms", "-W", k_forwarder}});
  EXPECT_EQ(matches(symbols.output, R"((?:GLOBAL|WEAK) +DEFAULT +[0-9]+ (\S+))"),
            (std::vector<std::string>{
                "_ZN9benchmark5State11PauseTimingEv", "_ZN9benchmark5State12ResumeTimingEv",
                "_ZN9benchmark5State13SkipWithErrorEPKc",
                "_ZN9benchmark5State13SkipWithErrorERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
                "_ZN9benchmark5State15SkipWithMessageERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
                "_ZN9benchmark5State16StartKeepRunningEv", "_ZN9benchmark5State17FinishKeepRunningEv"}))
      << symbols.output;
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
