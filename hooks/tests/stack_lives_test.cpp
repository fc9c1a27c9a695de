// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// What became of the blocks, stack by stack; and in every case it adds up to what was counted.
#include <gtest/gtest.h>

#include "below.hpp"
#include "recorded_stacks.hpp"

namespace allocgate::hooks_test {
namespace {

const std::string k_program = probe("stack_lives");

const Functions& functions() {
  static const Functions functions(k_program);
  return functions;
}

RunOptions followed(RunOptions options = {}) {
  options.level = ALLOCGATE_LEVEL_USABLE;
  options.environment.push_back("ALLOCGATE_STACKS_LIVE=1");
  return options;
}

StackRun recorded(const std::string& name, long count, const RunOptions& options = {},
                  const std::string& program = k_program) {
  StackRun result = record_stacks({program, name, std::to_string(count)}, followed(options));
  EXPECT_EQ(result.run.exit_code, 0) << name << ": line, modulo 200, plus 1\n" << result.run.output;
  expect_sums(result);
  expect_lives(result);
  return result;
}

/* The sum over the stacks whose text begins with `beginning`. */
struct Site {
  StackCounters counters;
  StackLife life;
};
Site at(const std::string& beginning, const StackSection& section) {
  Site site;
  for (const RecordedStack& stack : section.stacks) {
    if (text_of(stack, section, functions()).starts_with(beginning)) {
      site.counters.add(stack.counters);
      site.life.add(stack.life.value_or(StackLife{}));
      site.life.peak_is_exact &= stack.life->peak_is_exact;
    }
  }
  return site;
}

constexpr int64_t k_usable = 1000;  // of a block of 990 bytes in glibc

TEST(StackLivesTest, AStackHasItsOwnPeak) {
  const StackRun run = recorded("peak", 100);
  ASSERT_EQ(run.sections.size(), 1u);
  const Site freed = at("allocate allocate_freed", run.sections[0]);
  EXPECT_EQ(freed.counters.allocations, 150u);
  EXPECT_EQ(freed.life.deallocations, 150u);
  EXPECT_EQ(freed.life.live_bytes, 0);
  const Site kept = at("allocate allocate_kept", run.sections[0]);
  EXPECT_EQ(kept.counters.allocations, 100u);
  EXPECT_EQ(kept.life.deallocations, 0u);
  EXPECT_EQ(kept.life.live_bytes, 100 * k_usable);
  EXPECT_EQ(kept.life.peak_live_bytes, 100 * k_usable);
  // Two calls are two stacks: 100 and 50.
  EXPECT_EQ(freed.life.peak_live_bytes, 150 * k_usable);
  EXPECT_TRUE(freed.life.peak_is_exact);
}

TEST(StackLivesTest, TemporaryIsWhatIsFreedBeforeTheNextAllocation) {
  const StackRun run = recorded("temporary", 50);
  ASSERT_EQ(run.sections.size(), 1u);
  const Site site = at("allocate_one case_temporary", run.sections[0]);
  EXPECT_EQ(site.counters.allocations, 150u);
  EXPECT_EQ(site.life.deallocations, 150u);
  EXPECT_EQ(site.life.temporary, 50u + 50u);
}

TEST(StackLivesTest, AReallocFreesAndAllocates) {
  const StackRun run = recorded("realloc", 100);
  ASSERT_EQ(run.sections.size(), 1u);
  const Site site = at("grow case_realloc", run.sections[0]);
  EXPECT_EQ(site.counters.allocations, 200u);
  EXPECT_EQ(site.life.deallocations, 200u);
  EXPECT_EQ(site.life.live_bytes, 0);
  EXPECT_EQ(site.life.temporary, 200u);
  EXPECT_EQ(run.sections[0].unattributed_life->deallocations, 0u);
}

TEST(StackLivesTest, OtherThreadsMayFree) {
  const StackRun run = recorded("other_thread", 100);
  ASSERT_EQ(run.sections.size(), 1u);
  const Site site = at("allocate allocate_freed", run.sections[0]);
  EXPECT_EQ(site.counters.allocations, 100u);
  EXPECT_EQ(site.life.deallocations, 50u);
  EXPECT_EQ(site.life.live_bytes, 50 * k_usable);
  EXPECT_EQ(site.life.peak_live_bytes, 100 * k_usable);
}

TEST(StackLivesTest, ThreadsThatFreeEachOthersAddUp) {
  const StackRun run = recorded("exchange", 0);
  ASSERT_EQ(run.sections.size(), 1u);
  const Site site = at("allocate_one", run.sections[0]);
  EXPECT_EQ(site.counters.allocations, 80000u);
  EXPECT_GT(site.life.deallocations, 80000u - 256u - 1u);
  EXPECT_EQ(run.sections[0].unattributed_life->deallocations, 0u);
}

TEST(StackLivesTest, AForkedChildFollowsItsOwnBlocks) {
  const StackRun run = recorded("fork", 100);
  ASSERT_EQ(run.sections.size(), 2u);
  EXPECT_EQ(at("allocate allocate_freed", run.sections[0]).life.deallocations, 100u);
  EXPECT_EQ(run.sections[0].unattributed_life->deallocations, 0u);
  EXPECT_EQ(run.sections[1].unattributed_life->deallocations, 50u);
  EXPECT_EQ(at("allocate allocate_kept", run.sections[1]).life.live_bytes, 50 * k_usable);
  EXPECT_EQ(at("allocate allocate_freed", run.sections[1]).life.deallocations, 10u);
}

TEST(StackLivesTest, BlocksOutliveWindows) {
  StackRun run = record_stacks({k_program, "windows", "100"}, followed({.environment = {"ALLOCGATE_STACKS_PAUSED=1"}}));
  EXPECT_EQ(run.run.exit_code, 0);
  ASSERT_EQ(run.sections.size(), 1u);
  const StackSection& section = run.sections[0];
  EXPECT_EQ(section.total().allocations, 100u);
  EXPECT_EQ(section.total_life().deallocations, 100u + 100u);
  // The first from before the window, and those that took the places of the half that was freed between the two.
  EXPECT_EQ(section.unattributed_life->deallocations, 100u + 50u);
  const Site site = at("allocate allocate_freed", section);
  EXPECT_EQ(site.life.deallocations, 50u);
  EXPECT_EQ(site.life.peak_live_bytes, 100 * k_usable);
}

TEST(StackLivesTest, WhatIsFreedUncountedIsForgotten) {
  const StackRun run = recorded("uncounted", 100);
  ASSERT_EQ(run.sections.size(), 1u);
  EXPECT_EQ(run.sections[0].unattributed_life->deallocations, 100u);
  EXPECT_EQ(at("allocate allocate_freed", run.sections[0]).life.deallocations, 0u);
}

TEST(StackLivesTest, EveryCaseOfStacksAddsUp) {
  for (const char* name : {"plain", "every_way", "many_forks", "threads", "interrupted", "exec"}) {
    SCOPED_TRACE(name);
    recorded(name, 200, {.processes = 256}, probe("stacks"));
  }
  expect_lives(record_stacks({probe("stacks"), "killed", "1000"}, followed()));
}

TEST(StackLivesTest, OverEachAllocator) {
  for (const Below& below : k_below) {
    if (below.musl || !missing_reason(below).empty()) {
      continue;
    }
    SCOPED_TRACE(below.name);
    for (const char* name : {"realloc", "exchange"}) {
      recorded(name, 100, over(below, ALLOCGATE_LEVEL_USABLE));
    }
  }
}

TEST(StackLivesTest, WithoutMemoryTheRestIsCountedWithoutStacks) {
  const StackRun run = recorded("many", 15, {.shell_prefix = "ulimit -v 12000; exec"}, probe("stacks"));
  ASSERT_EQ(run.sections.size(), 1u);
  EXPECT_TRUE(run.sections[0].truncated);
  EXPECT_GT(run.sections[0].unattributed_life->deallocations, 0u);
}

TEST(StackLivesTest, NothingIsFollowedWhereUsableSizesAreNotCounted) {
  RunOptions options = followed();
  options.level = ALLOCGATE_LEVEL_COUNTS;
  const StackRun run = record_stacks({k_program, "peak", "100"}, options);
  expect_sums(run);
  ASSERT_EQ(run.sections.size(), 1u);
  EXPECT_EQ(run.sections[0].unattributed_life, std::nullopt);
}

TEST(StackSamplesTest, SamplesAndTheRestAddUp) {
  for (const char* bytes : {"1", "1000", "100000"}) {
    SCOPED_TRACE(bytes);
    RunOptions options;
    options.environment.push_back(std::string("ALLOCGATE_STACKS_SAMPLE=") + bytes);
    for (const char* name : {"peak", "realloc", "exchange", "fork"}) {
      recorded(name, 100, options);
    }
  }
}

TEST(StackSamplesTest, AreAsManyAsTheBytesSay) {
  RunOptions options;
  options.environment.push_back("ALLOCGATE_STACKS_SAMPLE=10000");
  const StackRun run = recorded("peak", 100, options);
  ASSERT_EQ(run.sections.size(), 1u);
  const StackSection& section = run.sections[0];
  EXPECT_EQ(section.sample_bytes, 10000u);
  uint64_t samples = 0;
  for (const RecordedStack& stack : section.stacks) {
    samples += stack.counters.allocations;
  }
  // All of the program's, and one for each block of its own that is larger.
  EXPECT_NEAR(static_cast<double>(samples), static_cast<double>(section.total().bytes) / 10000, 5.0);
  EXPECT_EQ(section.unattributed.allocations + samples, section.total().allocations);
  const Site kept = at("allocate allocate_kept", section);
  EXPECT_NEAR(static_cast<double>(kept.counters.allocations), 10, 1);
  EXPECT_EQ(kept.life.live_bytes, static_cast<int64_t>(kept.counters.allocations) * k_usable);
}

}  // namespace
}  // namespace allocgate::hooks_test
