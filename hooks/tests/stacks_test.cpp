// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Call stacks: each planted site has exactly its allocations under exactly its callers, and in every case what the
// stacks have adds up to what was counted.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>

#include "below.hpp"
#include "recorded_stacks.hpp"

namespace allocgate::hooks_test {
namespace {

const std::string k_program = probe("stacks");

const Functions& functions() {
  static const Functions functions(k_program);
  return functions;
}

StackRun recorded(const std::string& name, long count, const RunOptions& options = {}) {
  StackRun result = record_stacks({k_program, name, std::to_string(count)}, options);
  expect_sums(result);
  return result;
}

/* All attributed, nothing cut for lack of memory. */
StackRun recorded_whole(const std::string& name, long count, const RunOptions& options = {}) {
  StackRun result = recorded(name, count, options);
  EXPECT_EQ(result.run.exit_code, 0) << name << ": line, modulo 200, plus 1\n" << result.run.output;
  for (const StackSection& section : result.sections) {
    EXPECT_FALSE(section.truncated);
    EXPECT_FALSE(section.partial);
    EXPECT_EQ(section.unattributed, StackCounters{});
  }
  return result;
}

uint64_t allocations_at(const std::string& text, const StackSection& section) {
  const auto by_text = allocations_by_text(section, functions());
  const auto found = by_text.find(text);
  return found == by_text.end() ? 0 : found->second;
}

TEST(StacksTest, SitesHaveTheirCallers) {
  for (const uint32_t level : {ALLOCGATE_LEVEL_COUNTS, ALLOCGATE_LEVEL_USABLE}) {
    const StackRun run = recorded_whole("plain", 1000, {.level = level});
    ASSERT_EQ(run.sections.size(), 1u);
    const StackSection& section = run.sections[0];
    EXPECT_EQ(allocations_at("site middle outer_one case_plain main", section), 2000u);
    EXPECT_EQ(allocations_at("site middle outer_two case_plain main", section), 500u);
    // Two calls of outer_one are two stacks.
    std::multiset<uint64_t> counts;
    for (const RecordedStack& stack : section.stacks) {
      if (text_of(stack, section, functions()).starts_with("site")) {
        counts.insert(stack.counters.allocations);
        EXPECT_EQ(stack.counters.bytes, 24 * stack.counters.allocations);
        EXPECT_EQ(stack.counters.size_classes[5], stack.counters.allocations);
        EXPECT_EQ(stack.ending, StackEnding::outermost);
      }
    }
    EXPECT_EQ(counts, (std::multiset<uint64_t>{500, 1000, 1000}));
  }
}

TEST(StacksTest, EveryFunctionHasItsCaller) {
  const StackRun run = recorded_whole("every_way", 0);
  ASSERT_EQ(run.sections.size(), 1u);
  for (const char* name : {"by_calloc", "by_realloc", "by_realloc_again", "by_reallocarray", "by_posix_memalign",
                           "by_aligned_alloc", "by_memalign"}) {
    EXPECT_EQ(allocations_at(std::string(name) + " in_every_way case_every_way main", run.sections[0]), 10u) << name;
  }
  const auto by_text = allocations_by_text(run.sections[0], functions());
  for (const char* name : {"by_new", "by_new_array"}) {
    uint64_t allocations = 0;
    for (const auto& [text, count] : by_text) {
      const std::string end = std::string(" ") + name + " in_every_way case_every_way main";
      allocations += text.starts_with("libstdc++.so") && text.ends_with(end) ? count : 0;
    }
    EXPECT_EQ(allocations, 10u) << name;
  }
}

TEST(StacksTest, PlainCThroughTheLibc) {
  const StackRun run = record_stacks({probe("stack_plain")});
  EXPECT_EQ(run.run.exit_code, 0);
  expect_sums(run);
  ASSERT_EQ(run.sections.size(), 1u);
  const Functions functions(probe("stack_plain"));
  uint64_t allocations = 0;
  for (const auto& [text, count] : allocations_by_text(run.sections[0], functions)) {
    if (text.starts_with("plain_site plain_order libc.so.6")) {
      EXPECT_TRUE(text.ends_with(" libc.so.6 main")) << text;
      allocations += count;
    }
  }
  EXPECT_EQ(allocations, 100u);
}

TEST(StacksTest, RustThroughAClosureAndAfterAPanic) {
  const std::string program = RUST_PROBE;
  if (program.empty()) {
    GTEST_SKIP() << "rustc is not installed (Debian package rustc)";
  }
  const StackRun run = record_stacks({program});
  EXPECT_EQ(run.run.exit_code, 0) << run.run.output;
  expect_sums(run);
  ASSERT_EQ(run.sections.size(), 1u);
  const Functions functions(program);
  uint64_t allocations = 0;
  for (const RecordedStack& stack : run.sections[0].stacks) {
    const std::string text = text_of(stack, run.sections[0], functions);
    if (text.find("rust_site ") != std::string::npos) {
      EXPECT_EQ(stack.ending, StackEnding::outermost) << text;
      EXPECT_NE(text.find(" rust_outer "), std::string::npos) << text;
      EXPECT_TRUE(text.ends_with(" main")) << text;
      allocations += stack.counters.allocations;
    }
  }
  EXPECT_EQ(allocations, 150u);
}

TEST(StacksTest, OverEachAllocator) {
  for (const Below& below : k_below) {
    if (below.musl || !missing_reason(below).empty()) {
      continue;
    }
    SCOPED_TRACE(below.name);
    const StackRun run = recorded("every_way", 0, over(below, ALLOCGATE_LEVEL_USABLE));
    EXPECT_EQ(run.run.exit_code, 0);
    ASSERT_EQ(run.sections.size(), 1u);
    uint64_t attributed = 0;
    for (const auto& [text, count] : allocations_by_text(run.sections[0], functions())) {
      attributed += text.find("in_every_way case_every_way main") != std::string::npos ? count : 0;
    }
    EXPECT_EQ(attributed, 90u);
  }
}

TEST(StacksTest, FramesThatAreHardToLeave) {
  const StackRun run = recorded_whole("through", 100);
  ASSERT_EQ(run.sections.size(), 1u);
  const StackSection& section = run.sections[0];
  for (const char* name :
       {"through_realigned", "through_alloca", "through_large_frame", "through_variadic", "through_catch"}) {
    EXPECT_EQ(allocations_at(std::string("site ") + name + " case_through main", section), 200u) << name;
  }
  EXPECT_EQ(
      allocations_at("site inside_handler libc.so.6 libc.so.6 libc.so.6 through_signal case_through main", section) +
          allocations_at("site inside_handler libc.so.6 libc.so.6 through_signal case_through main", section),
      200u);
  EXPECT_EQ(allocations_from("site inside_coroutine libc.so.6", section, functions()), 200u);
  EXPECT_EQ(allocations_from("site inside_thread libc.so.6", section, functions()), 200u);
}

TEST(StacksTest, WhereTheTablesEndTheStackSaysSo) {
  const StackRun run = recorded_whole("through", 100);
  ASSERT_EQ(run.sections.size(), 1u);
  uint64_t untabled = 0;
  uint64_t generated = 0;
  for (const RecordedStack& stack : run.sections[0].stacks) {
    const std::string text = text_of(stack, run.sections[0], functions());
    if (text == "site through_untabled_code") {
      EXPECT_EQ(stack.ending, StackEnding::no_rule);
      untabled += stack.counters.allocations;
    } else if (text == "site ?") {
      EXPECT_EQ(stack.ending, StackEnding::no_module);
      generated += stack.counters.allocations;
    } else {
      EXPECT_EQ(stack.ending, StackEnding::outermost) << text;
    }
  }
  EXPECT_EQ(untabled, 200u);
  EXPECT_EQ(generated, 200u);
}

TEST(StacksTest, AForkedChildHasASectionOfItsOwn) {
  const StackRun run = recorded_whole("fork", 25);
  ASSERT_EQ(run.sections.size(), 3u);
  const auto at = [&](size_t section, const std::string& text) {
    return allocations_from("site middle " + text, run.sections[section], functions());
  };
  EXPECT_EQ(at(0, "outer_one case_fork main"), 10u);
  EXPECT_EQ(at(0, "outer_two case_fork main"), 3u);
  EXPECT_EQ(at(1, "outer_one"), 25u);
  EXPECT_EQ(at(1, "outer_two"), 0u);
  EXPECT_EQ(at(2, "outer_two"), 26u);
  EXPECT_EQ(run.sections[1].parent_pid, run.sections[0].pid);
}

TEST(StacksTest, ManyForksAddUp) {
  const StackRun run = recorded_whole("many_forks", 5, {.processes = 256});
  ASSERT_EQ(run.sections.size(), 101u);
  for (const StackSection& section : run.sections) {
    EXPECT_EQ(allocations_from("site middle outer_one", section, functions()), 5u);
  }
}

TEST(StacksTest, AnExecHasASectionOfItsOwn) {
  const StackRun run = recorded_whole("exec", 7);
  ASSERT_EQ(run.sections.size(), 2u);
  EXPECT_EQ(allocations_at("site middle outer_one case_exec main", run.sections[0]), 7u);
  EXPECT_EQ(allocations_at("site middle outer_one case_plain main", run.sections[1]), 200u);
  EXPECT_EQ(run.sections[0].pid, run.sections[1].pid);
}

TEST(StacksTest, AnEndWithoutNoticeLosesNothing) {
  const StackRun killed = recorded("killed", 1000);
  EXPECT_EQ(killed.run.signal, SIGKILL);
  ASSERT_EQ(killed.sections.size(), 1u);
  EXPECT_EQ(allocations_at("site middle outer_one case_killed main", killed.sections[0]), 1000u);
  const StackRun ended = recorded_whole("ended", 1000);
  ASSERT_EQ(ended.sections.size(), 1u);
  EXPECT_EQ(allocations_at("site middle outer_one case_ended main", ended.sections[0]), 1000u);
}

TEST(StacksTest, DeepStacksAreWholeOrSayWhereTheyAreCut) {
  const StackRun run = recorded_whole("deep", 50000, {.shell_prefix = "ulimit -s 65536; exec"});
  ASSERT_EQ(run.sections.size(), 1u);
  std::set<uint64_t> whole;
  uint64_t cut = 0;
  for (const RecordedStack& stack : run.sections[0].stacks) {
    const std::string text = text_of(stack, run.sections[0], functions());
    if (!text.starts_with("site allocate_recursively")) {
      continue;
    }
    EXPECT_EQ(stack.ending, StackEnding::outermost);
    EXPECT_TRUE(text.ends_with(" allocate_recursively case_deep main"));
    if (text.find(" ... ") != std::string::npos) {
      EXPECT_EQ(stack.frames.size(), 1025u);
      EXPECT_EQ(stack.frames[64].module, k_frames_cut);
      cut += stack.counters.allocations;
    } else {
      whole.insert(stack.counters.allocations);
      EXPECT_EQ(std::count(text.begin(), text.end(), ' '), 901 + 2);
    }
  }
  EXPECT_EQ(whole, std::set<uint64_t>{1});
  EXPECT_EQ(cut, 2u);
}

TEST(StacksTest, ManyStacksAreKept) {
  const StackRun run = recorded_whole("many", 13);
  ASSERT_EQ(run.sections.size(), 1u);
  uint64_t stacks = 0;
  for (const RecordedStack& stack : run.sections[0].stacks) {
    if (text_of(stack, run.sections[0], functions()).starts_with("site branch")) {
      EXPECT_EQ(stack.counters.allocations, 1u);
      stacks += 1;
    }
  }
  EXPECT_EQ(stacks, 2u << 13) << "the two calls of branch are two callers";
}

TEST(StacksTest, WithoutMemoryTheRestIsCountedWithoutStacks) {
  for (const char* limit : {"ulimit -f 512; exec", "ulimit -v 12000; exec"}) {
    SCOPED_TRACE(limit);
    const StackRun run = recorded("many", 15, {.shell_prefix = limit});
    EXPECT_EQ(run.run.exit_code, 0);
    ASSERT_EQ(run.sections.size(), 1u);
    EXPECT_TRUE(run.sections[0].truncated);
    EXPECT_GT(run.sections[0].unattributed.allocations, 0u);
    EXPECT_GT(run.sections[0].stacks.size(), 100u);
  }
}

TEST(StacksTest, ThousandsOfThreads) {
  const StackRun run = recorded_whole("threads", 3000);
  ASSERT_EQ(run.sections.size(), 1u);
  EXPECT_EQ(allocations_from("site middle outer_two thread_of_many", run.sections[0], functions()), 9000u);
}

TEST(StacksTest, TwoLibrariesAtOneAddressAreTwoModules) {
  const StackRun run = recorded("twins", 1000);
  ASSERT_NE(run.run.exit_code, 99) << "the loader did not use the place again: nothing was tested";
  ASSERT_EQ(run.run.exit_code, 0);
  ASSERT_EQ(run.sections.size(), 1u);
  EXPECT_EQ(allocations_from("libprobe_twin_a.so case_twins", run.sections[0], functions()) +
                allocations_from("libprobe_twin_a.so stacks case_twins", run.sections[0], functions()),
            1500u);
  EXPECT_EQ(allocations_from("libprobe_twin_b.so case_twins", run.sections[0], functions()) +
                allocations_from("libprobe_twin_b.so stacks case_twins", run.sections[0], functions()),
            1000u);
  std::set<uint64_t> places;
  for (const StackModule& module : run.sections[0].modules) {
    if (module.path.find("twin") != std::string::npos) {
      places.insert(module.base);
    }
  }
  EXPECT_EQ(places.size(), 1u);
}

TEST(StacksTest, ALibraryWithoutASearchTableIsGoneThrough) {
  const StackRun run = recorded_whole("untabled_library", 100);
  ASSERT_EQ(run.sections.size(), 1u);
  EXPECT_EQ(allocations_at("site middle outer_one libprobe_untabled.so case_untabled_library main", run.sections[0]),
            100u);
}

TEST(StacksTest, AChildOfAThreadThatLoadsNeverWaits) {
  const StackRun run = recorded("fork_under_load", 5, {.processes = 256});
  EXPECT_EQ(run.run.exit_code, 0);
  ASSERT_EQ(run.sections.size(), 201u);
  for (size_t child = 1; child < run.sections.size(); ++child) {
    EXPECT_EQ(allocations_from("site", run.sections[child], functions()), 10u);
  }
}

TEST(StacksTest, AHandlerThatInterruptsTheRecorderRecordsToo) {
  const StackRun run = recorded_whole("interrupted", 2000);
  ASSERT_EQ(run.sections.size(), 1u);
  uint64_t in_handlers = 0;
  for (const RecordedStack& stack : run.sections[0].stacks) {
    const std::string text = text_of(stack, run.sections[0], functions());
    EXPECT_EQ(stack.ending, StackEnding::outermost) << text;
    // The compiler may put a copy of the handler into the case.
    in_handlers += stack.counters.size_classes[9];
    EXPECT_TRUE(text.ends_with("main") || text.starts_with("libstdc++.so.6 ld-linux")) << text;
  }
  EXPECT_GE(in_handlers, 2000u);
}

TEST(StacksTest, OnlyWindowsAreRecordedWhenAskedFor) {
  const StackRun run = record_stacks({k_program, "windows", "100"}, {.environment = {"ALLOCGATE_STACKS_PAUSED=1"}});
  EXPECT_EQ(run.run.exit_code, 0);
  ASSERT_EQ(run.sections.size(), 1u);
  EXPECT_TRUE(run.sections[0].partial);
  EXPECT_EQ(run.sections[0].total().allocations, 100u);
  EXPECT_EQ(allocations_at("site middle outer_two case_windows main", run.sections[0]), 100u);
}

TEST(StacksTest, AFolderThatIsMissingHarmsNobody) {
  RunOptions options;
  options.environment = {"ALLOCGATE_STACKS=/nonexistent/folder"};
  const RecordedRun run = hooks_test::run({k_program, "plain", "10"}, options);
  EXPECT_EQ(run.exit_code, 0);
  ASSERT_EQ(run.processes.size(), 1u);
  EXPECT_TRUE(run.processes[0].flags & ALLOCGATE_PROCESS_STACKS_REFUSED);
  EXPECT_EQ(run.total.size_classes[5], 25u);
}

/* The line of the observing library, or nothing. */
std::map<std::string, uint64_t> observed(const std::string& output) {
  std::map<std::string, uint64_t> numbers;
  const size_t begin = output.rfind("observed ");
  std::istringstream words(begin == std::string::npos ? "" : output.substr(begin + sizeof("observed ") - 1));
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    numbers[word.substr(0, equals)] = equals == std::string::npos ? 0 : std::stoull(word.substr(equals + 1));
  }
  return numbers;
}

/* ALLOCGATE_RANDOM_STACKS makes it as long as one likes: 10 000 are a million stacks and more. */
TEST(StacksTest, RandomStacksAreThoseOfLibunwind) {
  if (std::string(OBSERVED_HOOKS_LIBRARY).empty()) {
    GTEST_SKIP() << "libunwind is not installed (Debian package libunwind-dev)";
  }
  const char* rounds = std::getenv("ALLOCGATE_RANDOM_STACKS");
  const StackRun run = record_stacks({probe("random_stacks"), rounds != nullptr ? rounds : "300"},
                                     {.hooks_library = OBSERVED_HOOKS_LIBRARY});
  EXPECT_EQ(run.run.exit_code, 0) << run.run.output;
  expect_sums(run);
  auto numbers = observed(run.run.output);
  std::cout << run.run.output;
  EXPECT_GT(numbers["stacks"], 10000u);
  EXPECT_GT(numbers["deepest"], 50000u);
  EXPECT_EQ(numbers["different"], 0u);
  EXPECT_EQ(numbers["shorter"], 0u);
  EXPECT_EQ(numbers["longer"], 0u);
}

}  // namespace
}  // namespace allocgate::hooks_test
