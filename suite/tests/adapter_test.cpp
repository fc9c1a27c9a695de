// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measured_program.hpp"
#include "test_paths.hpp"

#include <allocgate/suite_protocol.h>

#include <gtest/gtest.h>

namespace allocgate::test {

namespace {

using testing::Test;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// One window for each count in 1,1,2,3, of so many allocations an iteration, and nothing else in them.
void expect_exact(const std::string& workload, std::uint64_t allocations, std::uint32_t threads = 1) {
  const Outcome outcome = run(suite_run(k_loops_with_adapter, workload, "1,1,2,3"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(outcome.output, "");
  constexpr std::uint64_t k_counts[] = {1, 1, 2, 3};
  ASSERT_EQ(outcome.windows.size(), std::size(k_counts));
  for (std::size_t index = 0; index < std::size(k_counts); ++index) {
    const allocgate_window_entry& window = outcome.windows[index];
    EXPECT_EQ(window.state, 1U);
    EXPECT_EQ(window.flags, 0U);
    EXPECT_EQ(window.iterations, k_counts[index]);
    EXPECT_EQ(window.threads, threads);
    EXPECT_EQ(window.allocations, allocations * k_counts[index]);
    EXPECT_EQ(window.deallocations, window.allocations);
    EXPECT_EQ(window.allocated_bytes, 64 * window.allocations);
    EXPECT_EQ(window.size_classes[6], window.allocations);
    EXPECT_EQ(window.reallocations, 0U);
    EXPECT_EQ(window.failed_allocations, 0U);
    EXPECT_EQ(window.live_bytes, 0);
    EXPECT_EQ(window.open_fds, 0);
  }
}

TEST(Adapter, CountsTheLoopOnly) {
  expect_exact("two", 2);
}
TEST(Adapter, FindsANameThatLooksLikeARegularExpression) {
  expect_exact("two/with+some(regular)[characters]*", 2);
}
TEST(Adapter, MakesOneRunOfARepeatedCase) {
  expect_exact("two_repeated/repeats:3/process_time/real_time", 2);
}
TEST(Adapter, ReplacesACountOfTheProgramsOwn) {
  expect_exact("two_fixed/iterations:7", 2);
}
TEST(Adapter, ReplacesAMinimumTimeOfTheProgramsOwn) {
  expect_exact("min_time/min_time:0.050", 1);
  expect_exact("warm_up/min_time:0.050/min_warmup_time:0.020", 1);
}
TEST(Adapter, TellsArgumentsApart) {
  expect_exact("argument/times:3", 3);
  expect_exact("argument/times:8", 8);
}
TEST(Adapter, LeavesPausedSectionsOut) {
  expect_exact("paused", 3);
}
TEST(Adapter, AddsThreadsUp) {
  expect_exact("threads/threads:2", 6, 2);
  expect_exact("threads/threads:5", 15, 5);
}
TEST(Adapter, MeasuresFixtures) {
  expect_exact("Prepared/fixture", 1);
}

TEST(Adapter, WaitsForOtherThreads) {
  const Outcome outcome = run(suite_run(k_loops_with_adapter, "helper", "1,10"));
  ASSERT_EQ(outcome.windows.size(), 2U) << outcome.output;
  EXPECT_EQ(outcome.windows[0].allocations, 7U);
  EXPECT_EQ(outcome.windows[1].allocations, 70U);
  EXPECT_EQ(outcome.windows[1].flags, 0U);
  EXPECT_EQ(outcome.windows[1].peak_is_exact, 0U);
}

TEST(Adapter, SaysThatOtherThreadsNeverStopped) {
  const Outcome outcome = run(suite_run(k_loops_with_adapter, "restless", "1"));
  ASSERT_EQ(outcome.windows.size(), 1U) << outcome.output;
  EXPECT_EQ(outcome.windows[0].flags, ALLOCGATE_WINDOW_NOT_DRAINED);
}

TEST(Adapter, CountsWhatBatchesRan) {
  const Outcome outcome = run(suite_run(k_loops_with_adapter, "batches", "1,20,21"));
  ASSERT_EQ(outcome.windows.size(), 3U) << outcome.output;
  constexpr std::uint64_t k_ran[] = {10, 20, 30};
  for (std::size_t index = 0; index < std::size(k_ran); ++index) {
    EXPECT_EQ(outcome.windows[index].iterations, k_ran[index]);
    EXPECT_EQ(outcome.windows[index].allocations, 4 * k_ran[index]);
  }
}

TEST(Adapter, ReadsPeakAndLiveBytesOfTheLoop) {
  constexpr std::int64_t k_block = 1 << 20;
  const Outcome outcome = run(suite_run(k_loops_with_adapter, "keeps", "1,3"));
  ASSERT_EQ(outcome.windows.size(), 2U) << outcome.output;
  for (const allocgate_window_entry& window : outcome.windows) {
    const auto blocks = static_cast<std::int64_t>(2 * window.iterations);
    EXPECT_EQ(window.peak_is_exact, 1U);
    EXPECT_EQ(window.peak_live_bytes, window.live_bytes);
    EXPECT_GE(window.live_bytes, blocks * k_block);
    EXPECT_LT(window.live_bytes, (blocks + 1) * k_block);
  }
}

TEST(Adapter, CountsDescriptorsLeftOpen) {
  const Outcome outcome = run(suite_run(k_loops_with_adapter, "descriptors", "1,3"));
  ASSERT_EQ(outcome.windows.size(), 2U) << outcome.output;
  EXPECT_EQ(outcome.windows[0].open_fds, 1);
  EXPECT_EQ(outcome.windows[1].open_fds, 3);
}

TEST(Adapter, ReportsUserCounters) {
  run(suite_run(k_loops_with_adapter, "two", "1,2"));
  EXPECT_EQ(read_file(report_path()),
            "{\"schema\": \"allocgate.suite-report/1\", \"windows\": [\n"
            "  {\"iterations\": 1, \"counters\": {\"answer\": 42}},\n"
            "  {\"iterations\": 2, \"counters\": {\"answer\": 42}}\n"
            "]}\n");
}

class FailingWorkload : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(FailingWorkload, HasAWindowThatSaysSo) {
  const auto& [workload, text] = GetParam();
  const Outcome outcome = run(suite_run(k_loops_with_adapter, workload, "1,2"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  ASSERT_EQ(outcome.windows.size(), 2U);
  EXPECT_EQ(outcome.windows[0].flags, ALLOCGATE_WINDOW_ERROR);
  EXPECT_EQ(outcome.windows[0].iterations, 1U);
  EXPECT_EQ(outcome.windows[1].flags, ALLOCGATE_WINDOW_ERROR);
  EXPECT_EQ(outcome.windows[1].iterations, 2U);
  EXPECT_TRUE(contains(read_file(report_path()), std::string("\"error\": \"") + text + "\""))
      << read_file(report_path());
}

INSTANTIATE_TEST_SUITE_P(Adapter, FailingWorkload,
                         testing::Values(std::pair("fails_before", R"(no \"server\" here)"),
                                         std::pair("fails_before_its_loop", "no server here"),
                                         std::pair("fails_and_breaks", "an answer is wrong")),
                         [](const auto& test) { return test.param.first; });

TEST(Adapter, MarksALoopThatEndsAfterAnError) {
  const Outcome outcome = run(suite_run(k_loops_with_adapter, "fails_and_goes_on", "5"));
  ASSERT_EQ(outcome.windows.size(), 1U) << outcome.output;
  EXPECT_EQ(outcome.windows[0].flags, ALLOCGATE_WINDOW_ERROR);
}

TEST(Adapter, ListsItsWorkloadsAndRunsNone) {
  const std::filesystem::path list = test_folder() / "list.json";
  const Outcome outcome =
      run({.path = k_loops_with_adapter, .environment = {{ALLOCGATE_ENV_SUITE_LIST, list.string()}}});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output, "");
  const std::string text = read_file(list);
  EXPECT_TRUE(contains(text, "{\"schema\": \"allocgate.suite/1\", \"workloads\": [\n  {\"name\": \"two\"},\n")) << text;
  EXPECT_TRUE(contains(text, "{\"name\": \"argument/times:8\"}")) << text;
  EXPECT_NE(text.find("\"twin\""), std::string::npos) << text;
  EXPECT_EQ(text.find("\"twin\""), text.rfind("\"twin\"")) << text;
  EXPECT_TRUE(contains(text, "{\"name\": \"threads/threads:5\", \"threads\": 5}")) << text;
}

TEST(Adapter, ListsWhatAWorkloadSaysOfItself) {
  const std::filesystem::path list = test_folder() / "list.json";
  const Outcome outcome =
      run({.path = k_described_program, .environment = {{ALLOCGATE_ENV_SUITE_LIST, list.string()}}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  const std::string text = read_file(list);
  EXPECT_TRUE(contains(text,
                       "{\"name\": \"parse/size:64\", \"core\": \"made \\\"up\\\"\", \"core_version\": \"1.2\", "
                       "\"exercises\": \"a parser\", \"iterations\": 10, \"threads\": 1, \"gate\": \"percent\", "
                       "\"depends_on\": [\"compiler\", \"kernel\"], \"does_not_depend_on\": [\"size\"], "
                       "\"layers\": [{\"layer\": \"codec\", \"workload\": \"grow/2\", \"times\": 2}, "
                       "{\"layer\": \"core\", \"workload\": \"noop\", \"times\": 1}]}"))
      << text;
  EXPECT_TRUE(contains(text, "{\"name\": \"grow/8\", \"does_not_depend_on\": [\"argument 1\"]}")) << text;
}

class Refusal : public testing::TestWithParam<std::array<const char*, 3>> {};

TEST_P(Refusal, SaysWhy) {
  const auto& [workload, windows, text] = GetParam();
  const Outcome outcome = run(suite_run(k_loops_with_adapter, workload, windows));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(contains(outcome.output, text)) << outcome.output;
  EXPECT_EQ(outcome.windows.size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Adapter, Refusal,
    testing::Values(std::array{"no_such", "1", "no workload no_such"}, std::array{"tw.", "1", "no workload tw."},
                    std::array{"twin", "1", "more than one workload twin"}, std::array{"two", "", "iteration counts"},
                    std::array{"two", "1,", "iteration counts"}, std::array{"two", "0", "iteration counts"},
                    std::array{"two", "-1", "iteration counts"}, std::array{"two", "1;2", "iteration counts"},
                    std::array{"two", "99999999999999999999", "iteration counts"}));

// The report of a run of `workload` without the hooks, with a warm-up and a window of 100.
std::string report_without_hooks(const std::string& workload) {
  Program plain = suite_run(k_loops_with_adapter, workload, "1,100");
  plain.preload.clear();
  const Outcome outcome = run(plain);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  return read_file(report_path());
}

// The last number of that name in the report; -1 when there is none.
std::int64_t last_number(const std::string& report, const std::string& name) {
  const std::size_t at = report.rfind('"' + name + "\": ");
  return at == std::string::npos ? -1 : std::stoll(report.substr(at + name.size() + 4));
}

TEST(Adapter, TimesItsLoopWithoutHooks) {
  const std::string report = report_without_hooks("two");
  EXPECT_TRUE(contains(report, "\"counters\": {\"answer\": 42}}")) << report;
  EXPECT_GT(last_number(report, "wall_time_ns"), 0) << report;
  EXPECT_GT(last_number(report, "cpu_time_ns"), 0) << report;
  EXPECT_GE(last_number(report, "context_switches"), 0) << report;
  EXPECT_GT(last_number(report, "peak_resident_bytes"), 1'000'000) << report;
}

TEST(Adapter, LeavesPausedSectionsOutOfTheTimes) {
  // A few more are the loop's own first ones.
  const std::int64_t faults = last_number(report_without_hooks("page_faults"), "page_faults");
  EXPECT_GE(faults, 300);
  EXPECT_LT(faults, 400);
  const std::int64_t of_threads = last_number(report_without_hooks("page_faults/threads:2"), "page_faults");
  EXPECT_GE(of_threads, 600);
  EXPECT_LT(of_threads, 800);
}

TEST(Adapter, TimesNothingUnderTheHooks) {
  const Outcome outcome = run(suite_run(k_loops_with_adapter, "two", "1,2"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_TRUE(contains(read_file(report_path()), "{\"iterations\": 2, \"counters\": {\"answer\": 42}}"));
}

TEST(Adapter, IsAnyGoogleBenchmarkProgramWithoutTheProtocol) {
  const std::vector<std::string> arguments = {"--benchmark_filter=^two$", "--benchmark_min_time=0.001",
                                              "--benchmark_format=json"};
  const Outcome plain = run({.path = k_loops_with_adapter, .arguments = arguments});
  EXPECT_EQ(plain.exit_code, 0);
  EXPECT_TRUE(contains(plain.output, "\"name\": \"two\"")) << plain.output;
  EXPECT_FALSE(contains(plain.output, "allocs_per_iter")) << plain.output;

  const Outcome listed = run({.path = k_loops_with_adapter, .arguments = {"--benchmark_list_tests"}});
  EXPECT_EQ(listed.output, run({.path = k_loops_without_adapter, .arguments = {"--benchmark_list_tests"}}).output);
}

TEST(Adapter, FillsTheMemoryManagerUnderTheHooks) {
  const Outcome outcome =
      run({.path = k_loops_with_adapter,
           .arguments = {"--benchmark_filter=^two_fixed/", "--benchmark_min_time=0.001", "--benchmark_format=json"},
           .preload = {k_hooks}});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.output, "\"allocs_per_iter\": 2.0000000000000000e+00")) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "\"total_allocated_bytes\": 896")) << outcome.output;
  EXPECT_TRUE(contains(outcome.output, "\"net_heap_growth\": 0")) << outcome.output;
  EXPECT_EQ(outcome.windows.size(), 0U);
}

}  // namespace

}  // namespace allocgate::test
