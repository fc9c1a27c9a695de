// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include <gtest/gtest.h>

#include <tuple>

#include "below.hpp"

namespace allocgate::hooks_test {
namespace {

constexpr uint64_t k_calls = 1000;
constexpr uint64_t k_size = 100;

class FunctionsTest : public testing::TestWithParam<Below> {
protected:
  void SetUp() override { ALLOCGATE_SKIP_IF_MISSING(GetParam()); }

  // What a case counts beyond a program that starts and ends.
  allocgate_counters counted(const std::string& name, int exit_code = 0) {
    const RecordedRun empty = run({probe("functions", GetParam()), "nothing"}, over(GetParam(), m_level));
    const RecordedRun calls =
        run({probe("functions", GetParam()), name, std::to_string(k_calls)}, over(GetParam(), m_level));
    EXPECT_EQ(calls.exit_code, exit_code) << name << ": " << calls.output;
    EXPECT_EQ(calls.output, "");
    EXPECT_EQ(calls.processes.size(), 1u);
    return allocgate_difference(&empty.total, &calls.total);
  }

  uint32_t m_level = ALLOCGATE_LEVEL_COUNTS;
};

TEST_P(FunctionsTest, EachAllocatingFunctionCountsOnceACall) {
  for (const char* name :
       {"malloc", "calloc", "realloc", "reallocarray", "posix_memalign", "aligned_alloc", "memalign", "valloc"}) {
    SCOPED_TRACE(name);
    const allocgate_counters counters = counted(name);
    EXPECT_EQ(counters.allocations, k_calls);
    EXPECT_EQ(counters.allocated_bytes, k_calls * k_size);
    EXPECT_EQ(counters.size_classes[7], k_calls) << "65 to 128 bytes";
    EXPECT_EQ(counters.deallocations, 0u);
    EXPECT_EQ(counters.reallocations, 0u);
    EXPECT_EQ(counters.failed_allocations, 0u);
  }
}

TEST_P(FunctionsTest, PvallocCountsTheRequestedSize) {
  const allocgate_counters counters = counted("pvalloc");
  EXPECT_EQ(counters.allocations, k_calls);
  EXPECT_EQ(counters.allocated_bytes, k_calls * k_size);
}

TEST_P(FunctionsTest, EachReleasingFunctionCountsOnceACall) {
  for (const char* name : {"free", "cfree", "free_sized", "free_aligned_sized"}) {
    SCOPED_TRACE(name);
    const allocgate_counters counters = counted(name);
    EXPECT_EQ(counters.allocations, k_calls);
    EXPECT_EQ(counters.deallocations, k_calls);
    EXPECT_EQ(counters.failed_allocations, 0u);
  }
}

TEST_P(FunctionsTest, ReallocOfALiveBlockIsOneAllocationAndOneDeallocation) {
  const allocgate_counters counters = counted("realloc_live");
  EXPECT_EQ(counters.allocations, k_calls + 1);
  EXPECT_EQ(counters.deallocations, k_calls);
  EXPECT_EQ(counters.reallocations, k_calls);
  EXPECT_EQ(counters.allocated_bytes, k_size + k_calls * 2 * k_size);
}

TEST_P(FunctionsTest, ReallocToZeroCountsByWhatHappened) {
  const RecordedRun calls = run({probe("functions", GetParam()), "realloc_to_zero", "10"}, over(GetParam()));
  ASSERT_TRUE(calls.exit_code == 0 || calls.exit_code == 100);
  const bool returned_block = calls.exit_code == 100;
  EXPECT_EQ(counted("realloc_to_zero", *calls.exit_code).allocations, returned_block ? 2 * k_calls : k_calls);
  EXPECT_EQ(counted("realloc_to_zero", *calls.exit_code).deallocations, k_calls);
  EXPECT_EQ(counted("realloc_to_zero", *calls.exit_code).reallocations, returned_block ? k_calls : 0);
  EXPECT_EQ(counted("realloc_to_zero", *calls.exit_code).failed_allocations, 0u);
}

TEST_P(FunctionsTest, FailuresCountAsFailures) {
  allocgate_counters counters = counted("realloc_failure");
  EXPECT_EQ(counters.failed_allocations, 2 * k_calls);
  EXPECT_EQ(counters.allocations, 1u);
  EXPECT_EQ(counters.deallocations, 1u);

  counters = counted("overflow");
  EXPECT_EQ(counters.failed_allocations, 2 * k_calls);
  EXPECT_EQ(counters.allocations, 0u);

  counters = counted("wrong_alignment");
  EXPECT_EQ(counters.failed_allocations, 0u);
  EXPECT_EQ(counters.allocations, 0u);
}

TEST_P(FunctionsTest, AMemoryLimitChangesNothingButTheFailures) {
  const allocgate_counters counters = counted("memory_limit");
  EXPECT_EQ(counters.failed_allocations, k_calls);
  EXPECT_EQ(counters.allocations, 1u);
  EXPECT_EQ(counters.allocated_bytes, (uint64_t{4} << 30) + 1);
  EXPECT_EQ(counters.size_classes[33], 1u);
}

TEST_P(FunctionsTest, ZeroSizesHaveASlotOfTheirOwn) {
  const allocgate_counters counters = counted("zero_sizes");
  EXPECT_EQ(counters.allocations, 3 * k_calls);
  EXPECT_EQ(counters.size_classes[63], 3 * k_calls);
  EXPECT_EQ(counters.allocated_bytes, 0u);
}

TEST_P(FunctionsTest, ErrnoStays) {
  EXPECT_EQ(counted("errno_stays").allocations, k_calls + 1);
}

TEST_P(FunctionsTest, UsableSizesAddUp) {
  m_level = ALLOCGATE_LEVEL_USABLE;
  const allocgate_counters kept = counted("malloc");
  EXPECT_GE(kept.allocated_usable_bytes, k_calls * k_size);
  EXPECT_EQ(kept.deallocated_bytes, 0u);
  EXPECT_EQ(kept.live_bytes, static_cast<int64_t>(kept.allocated_usable_bytes));
  EXPECT_EQ(kept.peak_live_bytes, kept.live_bytes);

  const allocgate_counters released = counted("free");
  EXPECT_EQ(released.deallocated_bytes, released.allocated_usable_bytes);
  EXPECT_EQ(released.live_bytes, 0);
  EXPECT_EQ(released.peak_live_bytes, static_cast<int64_t>(released.allocated_usable_bytes / k_calls));

  const allocgate_counters moved = counted("realloc_live");
  EXPECT_EQ(moved.allocations, k_calls + 1);
  EXPECT_EQ(moved.live_bytes, moved.peak_live_bytes);
}

INSTANTIATE_TEST_SUITE_P(Over, FunctionsTest, testing::ValuesIn(k_below), name_of);

TEST(EmptyProgramTest, NothingIsCountedInAProgramThatAllocatesNothing) {
  for (int i = 0; i < 20; ++i) {
    const RecordedRun empty = run({probe("empty_c")});
    EXPECT_EQ(empty.exit_code, 0);
    ASSERT_EQ(empty.processes.size(), 1u);
    EXPECT_EQ(empty.total.allocations + empty.total.deallocations + empty.total.failed_allocations, 0u);
    EXPECT_EQ(empty.processes[0].executable, std::string(probe("empty_c")));
    EXPECT_EQ(empty.processes[0].state, uint32_t{ALLOCGATE_PROCESS_EXITED});
  }
}

TEST(EmptyProgramTest, TheCppLibraryStartsWithOneBlock) {
  const RecordedRun empty = run({probe("empty_cpp")});
  EXPECT_EQ(empty.exit_code, 0);
  EXPECT_EQ(empty.total.allocations, 1u);
  EXPECT_EQ(empty.total.allocated_bytes, 72704u);
}

}  // namespace
}  // namespace allocgate::hooks_test
