// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include <gtest/gtest.h>

#include <sstream>

#include "below.hpp"

namespace allocgate::hooks_test {
namespace {

class ThreadsTest : public testing::TestWithParam<Below> {
protected:
  void SetUp() override { ALLOCGATE_SKIP_IF_MISSING(GetParam()); }

  RecordedRun threads(const std::string& name, long count, uint32_t level = ALLOCGATE_LEVEL_COUNTS) {
    RecordedRun result = run({probe("threads", GetParam()), name, std::to_string(count)}, over(GetParam(), level));
    EXPECT_EQ(result.exit_code, 0) << name << ": " << result.output;
    EXPECT_EQ(result.processes.size(), 1u);
    return result;
  }

  allocgate_counters counted(const std::string& name, long count) {
    const RecordedRun none = threads(name, 0);
    const RecordedRun some = threads(name, count);
    return allocgate_difference(&none.total, &some.total);
  }
};

TEST_P(ThreadsTest, NothingIsLostAmongEightThreads) {
  const allocgate_counters counters = counted("at_once", 1000);
  EXPECT_EQ(counters.allocations, 8000u);
  EXPECT_EQ(counters.deallocations, 8000u);
  EXPECT_EQ(counters.allocated_bytes, 800000u);
}

TEST_P(ThreadsTest, TenThousandShortThreadsNeedAFewBlocks) {
  const RecordedRun run = threads("one_after_another", 3);
  ASSERT_EQ(run.processes.size(), 1u);
  // A joined thread is gone a moment later, and a busy machine stretches the moment: usually 3 blocks are enough.
  EXPECT_LE(run.blocks_claimed, 128u);
  EXPECT_EQ(run.processes[0].threads, 10001u);
  EXPECT_EQ(run.processes[0].flags, uint32_t{ALLOCGATE_PROCESS_THREADS});
  EXPECT_EQ(run.total.size_classes[7] - threads("one_after_another", 0).total.size_classes[7], 30000u);
}

TEST_P(ThreadsTest, LateKeyDestructorsCount) {
  const allocgate_counters counters = counted("late_destructors", 50);
  EXPECT_EQ(counters.allocations, 100u * 3 * 50);
  EXPECT_EQ(counters.deallocations, 100u * 3 * 50);
}

TEST_P(ThreadsTest, ThePeakOfBlocksHandedOverIsThatOfOneRound) {
  // jemalloc brings libstdc++, whose start-up block is part of every peak.
  const int64_t start = threads("handed_over", 0, ALLOCGATE_LEVEL_USABLE).total.peak_live_bytes;
  const allocgate_counters counters = threads("handed_over", 20, ALLOCGATE_LEVEL_USABLE).total;
  const auto one_round = static_cast<int64_t>(1000 * counters.allocated_usable_bytes / counters.allocations);
  EXPECT_GE(counters.peak_live_bytes, start + 100 * 1000 - 2 * 4096);
  EXPECT_LE(counters.peak_live_bytes, start + one_round + 3 * 4096);
}

INSTANTIATE_TEST_SUITE_P(Over, ThreadsTest, testing::ValuesIn(k_below), name_of);

class SignalsTest : public testing::TestWithParam<uint32_t> {};

TEST_P(SignalsTest, AreExactAtAnyInstruction) {
  const RecordedRun run = hooks_test::run({probe("signals"), "at_random", "200000"},
                                          {.level = GetParam(), .preload_after = BUMP_ALLOCATOR});
  ASSERT_EQ(run.exit_code, 0) << run.output;
  std::istringstream numbers(run.output);
  uint64_t allocations = 0;
  uint64_t deallocations = 0;
  uint64_t signals = 0;
  numbers >> allocations >> deallocations >> signals;
  EXPECT_GE(signals, 1000u);
  EXPECT_EQ(run.total.allocations, allocations);
  EXPECT_EQ(run.total.deallocations, deallocations);
  EXPECT_EQ(run.total.reallocations * 5, allocations);
  EXPECT_EQ(run.total.failed_allocations, 0u);
}

INSTANTIATE_TEST_SUITE_P(Level, SignalsTest, testing::Values(ALLOCGATE_LEVEL_COUNTS, ALLOCGATE_LEVEL_USABLE));

}  // namespace
}  // namespace allocgate::hooks_test
