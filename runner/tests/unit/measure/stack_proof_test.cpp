// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/stack_proof.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

StackCounters stack_counters(std::uint64_t allocations, std::uint64_t bytes) {
  StackCounters counters;
  counters.allocations = allocations;
  counters.bytes = bytes;
  counters.size_classes[4] = allocations;
  return counters;
}

RecordCounters counters(Count allocations, Count bytes) {
  RecordCounters counted;
  counted.allocations = allocations;
  counted.allocated_bytes = bytes;
  counted.size_classes[4] = allocations;
  return counted;
}

class StackProof : public testing::Test {
protected:
  StackProof() {
    contents.processes.resize(1);
    RecordProcess& process = contents.processes[0];
    process.pid = 7;
    process.executable = "/bin/app";
    process.exited = true;
    process.threads = 1;
    process.counters = counters(10, 500);
    sections.resize(1);
    sections[0].stacks.resize(1);
    sections[0].stacks[0].counters = stack_counters(10, 500);
  }

  [[nodiscard]] ProvenStacks proven() const { return prove_stacks(contents, sections); }

  void add_window(Count allocations, std::uint32_t threads, bool has_stacks) {
    RecordWindow window;
    window.iterations = 5;
    window.threads = threads;
    window.has_stacks = has_stacks;
    window.counters = counters(allocations, 500);
    contents.windows.push_back(window);
  }

  RecordContents contents;
  std::vector<StackSection> sections;
};

TEST_F(StackProof, HoldsWhenTheStacksAreTheCounters) {
  const ProvenStacks found = proven();
  EXPECT_FALSE(found.failure);
  EXPECT_EQ(found.allocations, 10);
  EXPECT_EQ(found.bytes, 500);
  EXPECT_EQ(found.missing_allocations, 0);
  EXPECT_EQ(found.sections.size(), 1u);
  EXPECT_THAT(found.notes, IsEmpty());
}

TEST_F(StackProof, FailsByNameWhenAProcessThatEndedDoesNotAddUp) {
  contents.processes[0].counters.allocations = 11;
  ASSERT_TRUE(proven().failure);
  EXPECT_THAT(proven().failure->error, HasSubstr("/bin/app (process 7) add up to 10 allocations and 500 bytes"));
  contents.processes[0].counters = counters(10, 501);
  EXPECT_TRUE(proven().failure);
  contents.processes[0].counters = counters(10, 500);
  std::swap(contents.processes[0].counters.size_classes[4], contents.processes[0].counters.size_classes[5]);
  EXPECT_TRUE(proven().failure) << "size classes are held against each other too";
}

TEST_F(StackProof, CountsWhatAKilledProcessWasInTheMiddleOf) {
  contents.processes[0].exited = false;
  contents.processes[0].counters = counters(11, 600);
  const ProvenStacks found = proven();
  EXPECT_FALSE(found.failure);
  EXPECT_EQ(found.missing_allocations, 1);
  EXPECT_EQ(found.missing_bytes, 100);
  EXPECT_EQ(found.notes.size(), 1u);
  contents.processes[0].counters = counters(12, 600);
  EXPECT_TRUE(proven().failure) << "one thread is in the middle of one allocation at most";
}

TEST_F(StackProof, NamesAProcessWhoseStacksWereRefused) {
  sections.clear();
  contents.processes[0].stacks_refused = true;
  const ProvenStacks found = proven();
  EXPECT_FALSE(found.failure);
  EXPECT_EQ(found.missing_allocations, 10);
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_THAT(found.notes[0], HasSubstr("/bin/app (process 7) could not be recorded"));
}

TEST_F(StackProof, NamesAProcessThatHadNoMemoryForAllStacks) {
  sections[0].truncated = true;
  sections[0].stacks[0].counters = stack_counters(6, 300);
  sections[0].unattributed = stack_counters(4, 200);
  const ProvenStacks found = proven();
  EXPECT_FALSE(found.failure);
  EXPECT_EQ(found.missing_allocations, 0) << "the section has them, without a stack";
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_THAT(found.notes[0], HasSubstr("truncated: the stacks of /bin/app (process 7)"));
}

TEST_F(StackProof, FailsWhereNothingWasRecorded) {
  sections.clear();
  ASSERT_TRUE(proven().failure);
  EXPECT_THAT(proven().failure->error, HasSubstr("on Linux on x86_64 alone"));
}

TEST_F(StackProof, FailsOnDamage) {
  sections[0].damage = "it is cut short";
  ASSERT_TRUE(proven().failure);
  EXPECT_EQ(proven().failure->error, "it is cut short");
}

TEST_F(StackProof, HoldsReleasesAgainstTheCountersToo) {
  sections[0].unattributed_life = StackLife();
  sections[0].stacks[0].life = StackLife{.deallocations = 4, .deallocated_bytes = 64};
  contents.processes[0].counters.deallocations = 4;
  contents.processes[0].counters.deallocated_bytes = 64;
  EXPECT_FALSE(proven().failure);
  contents.processes[0].counters.deallocations = 5;
  ASSERT_TRUE(proven().failure);
  EXPECT_THAT(proven().failure->error, HasSubstr("record without --live"));
}

TEST_F(StackProof, OfWindowsIsTheSumOfThoseThatWereRecorded) {
  add_window(99, 1, false);
  add_window(10, 1, true);
  std::uint64_t iterations = 0;
  const ProvenStacks found = prove_window_stacks(contents, sections, iterations);
  EXPECT_FALSE(found.failure);
  EXPECT_EQ(found.allocations, 10);
  EXPECT_EQ(iterations, 5u);
}

TEST_F(StackProof, OfWindowsFailsWhenOneThreadDoesNotAddUp) {
  add_window(11, 1, true);
  std::uint64_t iterations = 0;
  EXPECT_TRUE(prove_window_stacks(contents, sections, iterations).failure);
  contents.windows[0].threads = 2;
  const ProvenStacks found = prove_window_stacks(contents, sections, iterations);
  EXPECT_FALSE(found.failure);
  EXPECT_EQ(found.missing_allocations, 1);
  EXPECT_EQ(found.notes.size(), 1u);
}

TEST_F(StackProof, OfWindowsHoldsReleasesToo) {
  add_window(10, 1, true);
  contents.windows[0].counters.deallocations = 3;
  sections[0].unattributed_life = StackLife{.deallocations = 3};
  std::uint64_t iterations = 0;
  EXPECT_FALSE(prove_window_stacks(contents, sections, iterations).failure);
  sections[0].unattributed_life->deallocations = 2;
  EXPECT_TRUE(prove_window_stacks(contents, sections, iterations).failure);
}

TEST_F(StackProof, OfWindowsLeavesOtherProcessesOutAndSaysSo) {
  add_window(10, 1, true);
  sections.emplace_back();
  sections[1].process = 3;
  std::uint64_t iterations = 0;
  const ProvenStacks found = prove_window_stacks(contents, sections, iterations);
  EXPECT_FALSE(found.failure);
  EXPECT_EQ(found.sections.size(), 1u);
  ASSERT_EQ(found.notes.size(), 1u);
}

TEST_F(StackProof, OfWindowsFailsWhereNoWindowWasRecorded) {
  add_window(10, 1, false);
  std::uint64_t iterations = 0;
  EXPECT_TRUE(prove_window_stacks(contents, sections, iterations).failure);
}

}  // namespace
}  // namespace allocgate
