// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/process_results.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace allocgate {
namespace {

RecordProcess image(std::int64_t pid, std::string executable) {
  RecordProcess process;
  process.pid = pid;
  process.executable = std::move(executable);
  return process;
}

TEST(MeasuresOf, DerivesLiveAndSlack) {
  RecordCounters counters;
  counters.allocations = 3;
  counters.deallocations = 5;
  counters.allocated_bytes = 10;
  counters.allocated_usable_bytes = 48;
  const auto measures = measures_of(counters, true);
  EXPECT_EQ(measures.at("live_allocations"), -2);
  EXPECT_EQ(measures.at("slack_bytes"), 38);
  EXPECT_EQ(measures_of(counters, false).count("slack_bytes"), 0U);
}

TEST(MeasuresOf, HasNamesOfTheTableOnly) {
  for (const auto& [name, value] : measures_of({}, true)) {
    EXPECT_NE(find_measure(name), nullptr) << name;
  }
}

TEST(SumOf, IsDefinedForAnyNumbers) {
  std::vector<RecordProcess> processes(2);
  processes[0].counters.allocations = processes[1].counters.allocations = std::numeric_limits<Count>::max();
  EXPECT_EQ(sum_of(processes).allocations, std::numeric_limits<Count>::max());
}

TEST(ProcessResults, PutsTheCommandFirst) {
  RecordContents contents;
  constexpr std::int64_t k_root = 4'000'001;
  contents.processes = {image(k_root + 1, "/bin/child"), image(k_root, "/bin/root")};
  LaunchOutcome outcome;
  outcome.pid = k_root;
  outcome.exit_code = 4;
  const auto results = process_results(outcome, contents, "/bin/root");
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].executable, "/bin/root");
  EXPECT_EQ(results[0].exit_code, 4);
  EXPECT_EQ(results[1].executable, "/bin/child");
}

TEST(ProcessResults, DoesNotTakeANewProcessForAnExec) {
  constexpr std::int64_t k_pid = 4'000'001;
  RecordContents contents;
  contents.processes = {image(k_pid, "/bin/first"), image(k_pid, "/bin/second")};
  contents.processes[0].exited = true;
  contents.processes[1].forked = true;  // the pid was used again
  const auto results = process_results({}, contents, "/bin/sh");
  EXPECT_EQ(results[1].end, ProcessEnd::exited);
}

TEST(PeakErrorBound, IsThereWithSeveralThreadsOnly) {
  EXPECT_EQ(peak_error_bound(1), std::nullopt);
  EXPECT_EQ(peak_error_bound(4), 4 * 4096);
}

}  // namespace
}  // namespace allocgate
