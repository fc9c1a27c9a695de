// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include <gtest/gtest.h>

#include "below.hpp"

namespace allocgate::hooks_test {
namespace {

constexpr uint64_t k_calls = 1000;

class OperatorsTest : public testing::TestWithParam<Below> {
protected:
  void SetUp() override { ALLOCGATE_SKIP_IF_MISSING(GetParam()); }

  allocgate_counters counted(const std::string& name, uint64_t calls = k_calls, uint32_t level = 1) {
    const RecordedRun empty = run({probe("operators"), "nothing"}, over(GetParam(), level));
    const RecordedRun full = run({probe("operators"), name, std::to_string(calls)}, over(GetParam(), level));
    EXPECT_EQ(full.exit_code, 0) << name << ": " << full.output;
    return allocgate_difference(&empty.total, &full.total);
  }
};

TEST_P(OperatorsTest, EachFormCountsOnce) {
  for (const char* name : {"plain", "sized", "nothrow", "aligned", "aligned_sized", "aligned_nothrow"}) {
    for (const char* array : {"", "_array"}) {
      SCOPED_TRACE(std::string(name) + array);
      const allocgate_counters counters = counted(std::string(name) + array);
      // libstdc++ rounds an aligned request up to its alignment before it asks malloc.
      const uint64_t size = std::string(name).starts_with("aligned") ? 128 : 100;
      EXPECT_EQ(counters.allocations, k_calls);
      EXPECT_EQ(counters.deallocations, k_calls);
      EXPECT_EQ(counters.allocated_bytes, size * k_calls);
      EXPECT_EQ(counters.failed_allocations, 0u);
    }
  }
}

TEST_P(OperatorsTest, NewOfNothingAsksForOneByte) {
  const allocgate_counters counters = counted("zero_size");
  EXPECT_EQ(counters.allocations, k_calls);
  EXPECT_EQ(counters.allocated_bytes, k_calls);
}

TEST_P(OperatorsTest, ABadAllocThroughTheHooksLosesNothing) {
  if (GetParam().name == "mimalloc") {
    GTEST_SKIP() << "Debian's mimalloc is built as C: where new must throw, it ends the program";
  }
  const allocgate_counters thrown = counted("bad_alloc", 0);
  const allocgate_counters counters = counted("bad_alloc");
  EXPECT_EQ(counters.failed_allocations, 1u);
  EXPECT_EQ(counters.allocations - thrown.allocations, k_calls);
}

TEST_P(OperatorsTest, WhatANewHandlerAllocatesCounts) {
  if (GetParam().name == "mimalloc") {
    GTEST_SKIP() << "Debian's mimalloc is built as C: it does not see the program's new_handler";
  }
  const allocgate_counters counters = counted("new_handler", 7);
  // Beside them libstdc++'s nothrow form catches a bad_alloc, which is a bigger block.
  EXPECT_EQ(counters.size_classes[5], 7u) << "17 to 32 bytes";
  EXPECT_GE(counters.failed_allocations, 1u);
}

TEST_P(OperatorsTest, UsableSizesAddUp) {
  const allocgate_counters counters = counted("plain", k_calls, ALLOCGATE_LEVEL_USABLE);
  EXPECT_EQ(counters.allocations, k_calls);
  EXPECT_GE(counters.allocated_usable_bytes, k_calls * 100);
  EXPECT_EQ(counters.live_bytes, 0);
}

// The probes are C++ programs of the system's library; none of them can run over musl.
INSTANTIATE_TEST_SUITE_P(Over, OperatorsTest, testing::ValuesIn(k_below, k_below + 4), name_of);

}  // namespace
}  // namespace allocgate::hooks_test
