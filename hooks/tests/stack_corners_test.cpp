// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Call stacks where they are hard to follow, and where the system gives the recording less than it asks for.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "below.hpp"
#include "recorded_stacks.hpp"

namespace allocgate::hooks_test {
namespace {

const std::string k_program = probe("stack_corners");

const Functions& functions() {
  static const Functions functions(k_program);
  return functions;
}

void expect_all_attributed(const StackRun& run) {
  EXPECT_EQ(run.run.exit_code, 0) << "line, modulo 200, plus 1\n" << run.run.output;
  expect_sums(run);
  for (const StackSection& section : run.sections) {
    EXPECT_FALSE(section.truncated);
    EXPECT_FALSE(section.partial);
    EXPECT_EQ(section.unattributed, StackCounters{});
  }
}

StackRun recorded_whole(const std::string& name, long count, const RunOptions& options = {}) {
  StackRun result = record_stacks({k_program, name, std::to_string(count)}, options);
  expect_all_attributed(result);
  return result;
}

uint64_t allocations_at(const std::string& text, const StackSection& section) {
  const auto by_text = allocations_by_text(section, functions());
  const auto found = by_text.find(text);
  return found == by_text.end() ? 0 : found->second;
}

/* The allocations of the stacks that begin and end so, innermost first; all of them are whole. */
uint64_t allocations_between(const std::string& beginning, const std::string& end, const StackSection& section) {
  uint64_t allocations = 0;
  for (const RecordedStack& stack : section.stacks) {
    const std::string text = text_of(stack, section, functions());
    if (text.starts_with(beginning) && text.ends_with(end)) {
      EXPECT_EQ(stack.ending, StackEnding::outermost);
      allocations += stack.counters.allocations;
    }
  }
  return allocations;
}

/* A coroutine hangs from whoever resumed it; where it was begun is no part of its stack. Between the two may be the
 * coroutine that waits, or has waited, where the compiler makes calls of transfers. */
TEST(StackCornersTest, ACoroutineIsCalledByWhoResumesIt) {
  const StackRun run = recorded_whole("coroutines", 100);
  ASSERT_EQ(run.sections.size(), 1u);
  const StackSection& section = run.sections[0];
  // How compilers name what resumes begins so.
  const std::string inner = "site _Z15inner_coroutine";
  const std::string outer = "site _Z15outer_coroutine";
  const std::string begin = " begin_coroutine case_coroutines main";
  const std::string go_on = " go_on_with_coroutine case_coroutines main";
  EXPECT_EQ(allocations_between(inner, begin, section), 100u + 1000u);
  EXPECT_EQ(allocations_between(inner, go_on, section), 101u + 1001u);
  EXPECT_EQ(allocations_between(outer, go_on, section), 1002u);
  EXPECT_EQ(section.total().size_classes[5], 100u + 1000u + 101u + 1001u + 1002u);
}

TEST(StackCornersTest, CoroutinesHaveTheStacksOfLibunwind) {
  if (std::string(OBSERVED_HOOKS_LIBRARY).empty()) {
    GTEST_SKIP() << "libunwind is not installed (Debian package libunwind-dev)";
  }
  const StackRun run = record_stacks({k_program, "coroutines", "100"}, {.hooks_library = OBSERVED_HOOKS_LIBRARY});
  EXPECT_NE(run.run.output.find(" different=0 shorter=0 longer=0"), std::string::npos) << run.run.output;
}

/* Behind each instruction of functions that save registers, realign the stack by r10, or know their frame by rbx. */
TEST(StackCornersTest, AHandlerAtAnyInstructionHasAWholeStack) {
  const StackRun run = recorded_whole("steps", 3);
  ASSERT_EQ(run.sections.size(), 1u);
  const StackSection& section = run.sections[0];
  std::map<std::string, std::set<uint64_t>> instructions;
  uint64_t in_handlers = 0;
  for (const RecordedStack& stack : section.stacks) {
    const std::string text = text_of(stack, section, functions());
    if (!text.starts_with("allocate_at_step ")) {
      continue;
    }
    EXPECT_EQ(stack.ending, StackEnding::outermost) << text;
    EXPECT_TRUE(text.ends_with(" case_steps_of case_steps main")) << text;
    ASSERT_GE(stack.frames.size(), 5u) << text;
    EXPECT_EQ(stack.counters.allocations % 3, 0u) << text;
    in_handlers += stack.counters.allocations;
    const StackFrame& interrupted = stack.frames[2];
    const std::string name = functions().name_at(interrupted.offset);
    instructions[name].insert(interrupted.offset);
    if (name == "through_realigned" || name == "through_alloca" || name == "through_large_frame" ||
        name == "with_frame_of_rbx") {
      EXPECT_EQ(text, "allocate_at_step libc.so.6 " + name + " case_steps_of case_steps main");
    }
  }
  EXPECT_EQ(in_handlers, section.total().size_classes[9]);
  EXPECT_GE(instructions["through_realigned"].size(), 20u);
  EXPECT_GE(instructions["through_alloca"].size(), 10u);
  EXPECT_GE(instructions["through_large_frame"].size(), 5u);
  EXPECT_EQ(instructions["with_frame_of_rbx"].size(), 10u);
}

/* A child of vfork has its parent's memory, and counts as its parent until it becomes another program. */
TEST(StackCornersTest, AVforkedChildIsItsParentUntilItsExec) {
  const StackRun run = recorded_whole("vfork_exec", 20);
  ASSERT_EQ(run.sections.size(), 4u);
  const StackSection& parent = run.sections[0];
  EXPECT_EQ(parent.total().size_classes[5], 20u + 3 * 5u + 3 * 7u);
  EXPECT_EQ(allocations_at("site in_parent case_vfork_exec main", parent), 20u + 3 * 5u);
  EXPECT_EQ(allocations_at("site in_vforked_child start_by_vfork case_vfork_exec main", parent), 3 * 7u);
  for (size_t child = 1; child < run.sections.size(); ++child) {
    EXPECT_EQ(run.sections[child].parent_pid, parent.pid);
    EXPECT_EQ(run.sections[child].total().size_classes[5], 100u);
    EXPECT_EQ(allocations_at("site in_parent case_new_image main", run.sections[child]), 100u);
  }
}

TEST(StackCornersTest, ASpawnedProgramHasASectionOfItsOwn) {
  const StackRun run = recorded_whole("spawn", 20);
  ASSERT_EQ(run.sections.size(), 2u);
  EXPECT_EQ(allocations_at("site in_parent case_spawn main", run.sections[0]), 25u);
  EXPECT_EQ(run.sections[0].total().size_classes[5], 25u);
  EXPECT_EQ(allocations_at("site in_parent case_new_image main", run.sections[1]), 100u);
}

bool can_forbid_madvise() {
  return run({probe("forbid_madvise"), "/bin/true"}, {.with_record = false}).exit_code != 77;
}

/* As before Linux 4.14, which has no pages that a fork wipes: forks are seen by the process's number. */
TEST(StackSandboxTest, WithoutMadviseStacksAddUp) {
  if (!can_forbid_madvise()) {
    GTEST_SKIP() << "this system does not let a process forbid itself a system call";
  }
  const std::string prefix = "exec '" + probe("forbid_madvise") + "'";
  const std::string program = probe("stacks");
  const Functions names(program);
  for (const char* name : {"plain", "fork", "many_forks", "threads", "interrupted", "exec"}) {
    SCOPED_TRACE(name);
    expect_all_attributed(record_stacks({program, name, "200"}, {.processes = 256, .shell_prefix = prefix}));
  }
  const StackRun forked = record_stacks({program, "fork", "25"}, {.shell_prefix = prefix});
  ASSERT_EQ(forked.sections.size(), 3u);
  EXPECT_EQ(allocations_from("site middle outer_one case_fork main", forked.sections[0], names), 10u);
  EXPECT_EQ(allocations_from("site middle outer_one", forked.sections[1], names), 25u);
  EXPECT_EQ(allocations_from("site middle outer_two", forked.sections[2], names), 26u);
  expect_all_attributed(record_stacks({k_program, "vfork_exec", "20"}, {.shell_prefix = prefix}));
}

/* A child's blocks could not be told from its parent's: nobody is followed, and the section says so. */
TEST(StackSandboxTest, WithoutMadviseNoBlockIsFollowed) {
  if (!can_forbid_madvise()) {
    GTEST_SKIP() << "this system does not let a process forbid itself a system call";
  }
  RunOptions options{.level = ALLOCGATE_LEVEL_USABLE, .environment = {"ALLOCGATE_STACKS_LIVE=1"}};
  options.shell_prefix = "exec '" + probe("forbid_madvise") + "'";
  for (const char* name : {"peak", "fork", "other_thread"}) {
    SCOPED_TRACE(name);
    const StackRun run = record_stacks({probe("stack_lives"), name, "100"}, options);
    EXPECT_EQ(run.run.exit_code, 0) << run.run.output;
    expect_sums(run);
    expect_lives(run);
    for (const StackSection& section : run.sections) {
      EXPECT_TRUE(section.truncated);
      EXPECT_EQ(section.unattributed.allocations, 0u);
      EXPECT_EQ(section.unattributed_life->deallocations, section.total_life().deallocations);
    }
  }
}

/* What the program itself says it got, and what was counted. */
struct Got {
  std::string successes;
  uint64_t allocations = 0;
  uint64_t failed = 0;

  bool operator==(const Got&) const = default;
};

Got got(const RecordedRun& run) {
  EXPECT_EQ(run.exit_code, 0) << run.output;
  EXPECT_EQ(run.processes.size(), 1u);
  return {run.output, run.total.allocations, run.total.failed_allocations};
}

enum class Kept { nothing, some, all };

Kept expect_honest(const StackRun& recorded, bool is_followed) {
  if (recorded.sections.empty()) {
    EXPECT_TRUE(recorded.run.processes.at(0).flags & ALLOCGATE_PROCESS_STACKS_REFUSED);
    return Kept::nothing;
  }
  expect_sums(recorded);
  if (is_followed) {
    expect_lives(recorded);
  }
  const StackSection& section = recorded.sections[0];
  EXPECT_TRUE(section.truncated || section.unattributed == StackCounters{});
  return section.truncated ? Kept::some : section.stacks.size() >= 500 ? Kept::all : Kept::nothing;
}

/* From limits that leave nothing to record with, up to some that leave enough; half of them are set when recording has
 * begun. Some let the program's own requests fail. */
TEST(StackMemoryLimitTest, TheProgramGetsWhatItWouldGetWithoutStacks) {
  for (const bool is_followed : {false, true}) {
    std::set<Kept> kept;
    std::set<uint64_t> allocations;
    for (const bool is_own : {true, false}) {
      for (const long kib : {500, 1000, 1500, 2000, 2100, 2300, 3000, 4000, 5000, 6000, 8000, 16000, 64000}) {
        SCOPED_TRACE((is_own ? "its own limit, more than what it has: " : "ulimit -v 4500 and ") + std::to_string(kib));
        const std::vector<std::string> command = {probe("limited"), "address_space",
                                                  is_own ? std::to_string(kib) : "0"};
        RunOptions options;
        options.level = is_followed ? ALLOCGATE_LEVEL_USABLE : ALLOCGATE_LEVEL_COUNTS;
        options.shell_prefix = is_own ? "" : "ulimit -v " + std::to_string(4500 + kib) + "; exec";
        const Got without = got(run(command, options));
        if (is_followed) {
          options.environment.push_back("ALLOCGATE_STACKS_LIVE=1");
        }
        const StackRun recorded = record_stacks(command, options);
        EXPECT_EQ(got(recorded.run), without) << recorded.run.output << "and without stacks " << without.successes;
        kept.insert(expect_honest(recorded, is_followed));
        allocations.insert(without.allocations);
      }
    }
    EXPECT_EQ(kept, (std::set<Kept>{Kept::nothing, Kept::some, Kept::all}));
    EXPECT_LT(*allocations.begin(), 400u);
    EXPECT_EQ(*allocations.rbegin(), 500u);
  }
}

}  // namespace
}  // namespace allocgate::hooks_test
