// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The counting core as linked code: made-up pointers, no interposed function. The core counts into an anonymous record
// of this test's own, whose entry and blocks all cases share; each looks at differences.
#include <allocgate/hooks.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "counters.hpp"
#include "live_bytes.hpp"
#include "next_functions.hpp"
#include "process_state.hpp"
#include "readings.hpp"
#include "text_writer.hpp"

namespace allocgate::hooks {
namespace {

constexpr size_t k_usable_size = 112;

size_t made_up_usable_size(void*) {
  return k_usable_size;
}
void* pass_on(size_t) {
  return nullptr;
}
void release_nothing(void*) {}

class HookCoreTest : public testing::Test {
protected:
  static void SetUpTestSuite() {
    g_next.malloc_usable_size = made_up_usable_size;
    g_next.malloc = pass_on;
    g_next.free = release_nothing;
  }

  static allocgate_counters reading() {
    block_of_this_thread();
    allocgate_counters counters = {};
    add_process(counters, *process_state().entry);
    return counters;
  }

  static allocgate_counters since(const allocgate_counters& start) {
    const allocgate_counters now = reading();
    return allocgate_difference(&start, &now);
  }

  void* m_pointer = &m_pointer;
};

TEST_F(HookCoreTest, SlotsAreAsTheRecordSays) {
  EXPECT_EQ(size_class_slot(0), 63u);
  EXPECT_EQ(size_class_slot(1), 0u);
  EXPECT_EQ(size_class_slot(2), 1u);
  EXPECT_EQ(size_class_slot(3), 2u);
  EXPECT_EQ(size_class_slot(4), 2u);
  EXPECT_EQ(size_class_slot(5), 3u);
  for (unsigned bit = 3; bit < 62; ++bit) {
    const size_t power = size_t{1} << bit;
    EXPECT_EQ(size_class_slot(power), bit);
    EXPECT_EQ(size_class_slot(power + 1), bit + 1);
    EXPECT_EQ(size_class_slot(power - 1), bit);
  }
}

TEST_F(HookCoreTest, CountsAllocationsAndFailures) {
  const allocgate_counters start = reading();
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(count_allocation(m_pointer, 100), m_pointer);
    free_slowly(m_pointer);
  }
  EXPECT_EQ(count_allocation(nullptr, 100), nullptr);
  const allocgate_counters counted = since(start);
  EXPECT_EQ(counted.allocations, 1000u);
  EXPECT_EQ(counted.deallocations, 1000u);
  EXPECT_EQ(counted.allocated_bytes, 100000u);
  EXPECT_EQ(counted.failed_allocations, 1u);
  EXPECT_EQ(counted.allocated_usable_bytes, 1000 * k_usable_size);
  EXPECT_EQ(counted.live_bytes, 0);
}

TEST_F(HookCoreTest, ReallocationsCountByWhatHappened) {
  const allocgate_counters start = reading();
  count_reallocation(before_reallocation(m_pointer, nullptr), m_pointer, 50);
  count_reallocation(before_reallocation(m_pointer, nullptr), nullptr, 0);
  count_reallocation(before_reallocation(m_pointer, nullptr), nullptr, 50);
  const allocgate_counters counted = since(start);
  EXPECT_EQ(counted.allocations, 1u);
  EXPECT_EQ(counted.deallocations, 2u);
  EXPECT_EQ(counted.reallocations, 1u);
  EXPECT_EQ(counted.failed_allocations, 1u);
  EXPECT_EQ(counted.allocated_bytes, 50u);
}

TEST_F(HookCoreTest, NestedCallsCountByWhereTheyComeFrom) {
  const ObjectRange object{.begin = 1000, .end = 2000};
  const allocgate_counters start = reading();
  {
    const NestedCalls nested(object);
    count_allocation_from(reinterpret_cast<void*>(1500), m_pointer, 100);
    count_deallocation_from(reinterpret_cast<void*>(1999), m_pointer);
    count_allocation_from(reinterpret_cast<void*>(2000), m_pointer, 100);
  }
  count_allocation_from(reinterpret_cast<void*>(1500), m_pointer, 100);
  const allocgate_counters counted = since(start);
  EXPECT_EQ(counted.allocations, 2u) << "a signal handler's, and the one after";
  EXPECT_EQ(counted.deallocations, 0u);
}

TEST_F(HookCoreTest, ThreadsAddUpAndTheirBlocksAreTakenOver) {
  const allocgate_counters start = reading();
  for (int round = 0; round < 100; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([this] {
        for (int j = 0; j < 100; ++j) {
          count_allocation(m_pointer, 10);
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  }
  EXPECT_EQ(since(start).allocations, 100u * 4 * 100);
  EXPECT_LE(g_record.header->next_block, 32u) << "400 threads";
  EXPECT_TRUE(process_state().entry->flags & ALLOCGATE_PROCESS_THREADS);
}

TEST_F(HookCoreTest, AForkedChildCountsApart) {
  const allocgate_counters start = reading();
  const pid_t child = fork();
  if (child == 0) {
    count_allocation(m_pointer, 10);
    const allocgate_counters counters = reading();
    const bool is_right = counters.allocations == 1 && (process_state().entry->flags & ALLOCGATE_PROCESS_FORKED) != 0 &&
                          process_state().entry->parent_pid == getppid();
    _exit(is_right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(since(start).allocations, 0u);
}

TEST_F(HookCoreTest, ThePeakCanBeResetAndRaised) {
  reset_peak_live_bytes();
  const int64_t live = process_state().entry->live_bytes;
  EXPECT_EQ(process_state().entry->peak_live_bytes, live);
  raise_peak_live_bytes(live + 12345);
  EXPECT_EQ(process_state().entry->peak_live_bytes, live + 12345);
}

TEST(TextWriterTest, WritesNumbersAndJsonStrings) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    TextWriter out(ends[1]);
    out << uint64_t{0} << ' ' << UINT64_MAX << ' ' << INT64_MIN << ' ';
    out.quoted("a\"b\\c\n\xc3\xa9");
  }
  char text[128] = {};
  ASSERT_GT(read(ends[0], text, sizeof(text) - 1), 0);
  EXPECT_STREQ(text, "0 18446744073709551615 -9223372036854775808 \"a\\\"b\\\\c\\u000a\xc3\xa9\"");
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace allocgate::hooks
