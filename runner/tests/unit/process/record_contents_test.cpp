// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/record_contents.hpp"

#include <allocgate/hook_record.h>

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

namespace allocgate {
namespace {

constexpr RecordLayout k_layout{8, 4, 4, 4};

/// A record as the hooks see it: bytes with structures in them.
class Arena {
public:
  Arena() : m_bytes(record_size(k_layout)) {
    const auto header = record_header(k_layout, true, true);
    std::memcpy(m_bytes.data(), header.data(), header.size());
  }

  allocgate_record_header& header() { return *reinterpret_cast<allocgate_record_header*>(m_bytes.data()); }
  allocgate_block& block(std::size_t index) { return at<allocgate_block>(header().blocks_offset, index); }
  allocgate_process_entry& process(std::size_t index) {
    return at<allocgate_process_entry>(header().processes_offset, index);
  }
  allocgate_window_entry& window(std::size_t index) {
    return at<allocgate_window_entry>(header().windows_offset, index);
  }
  allocgate_execution_entry& execution(std::size_t index) {
    return at<allocgate_execution_entry>(header().executions_offset, index);
  }
  std::vector<std::byte>& bytes() { return m_bytes; }
  [[nodiscard]] RecordContents parse() const { return parse_record(m_bytes, k_layout); }

  void claim_process(std::size_t index, std::int32_t pid, const char* executable) {
    header().next_process = static_cast<std::uint32_t>(index + 1);
    process(index).pid = pid;
    process(index).state = ALLOCGATE_PROCESS_RUNNING;
    std::strcpy(process(index).executable, executable);
  }
  void announce(std::size_t index, std::int32_t pid, std::int32_t parent_pid, const char* program,
                std::uint32_t state = ALLOCGATE_EXECUTION_ANNOUNCED) {
    header().next_execution = static_cast<std::uint32_t>(index + 1);
    execution(index).pid = pid;
    execution(index).parent_pid = parent_pid;
    execution(index).state = state;
    std::strcpy(execution(index).program, program);
  }
  void claim_block(std::size_t index, std::uint32_t process_index) {
    header().next_block = static_cast<std::uint32_t>(index + 1);
    block(index).process = process_index + 1;
  }

private:
  template <typename T>
  T& at(std::uint64_t offset, std::size_t index) {
    return *reinterpret_cast<T*>(m_bytes.data() + offset + index * sizeof(T));
  }

  std::vector<std::byte> m_bytes;
};

TEST(RecordHeader, PutsTheArraysApart) {
  Arena arena;
  const auto& header = arena.header();
  for (const std::uint64_t offset :
       {header.blocks_offset, header.processes_offset, header.windows_offset, header.executions_offset}) {
    EXPECT_EQ(offset % 128, 0U);
  }
  EXPECT_GE(header.blocks_offset, sizeof(allocgate_record_header));
  EXPECT_GE(header.processes_offset, header.blocks_offset + k_layout.blocks * sizeof(allocgate_block));
  EXPECT_GE(header.windows_offset, header.processes_offset + k_layout.processes * sizeof(allocgate_process_entry));
  EXPECT_GE(header.executions_offset, header.windows_offset + k_layout.windows * sizeof(allocgate_window_entry));
  EXPECT_GE(header.size, header.executions_offset + k_layout.executions * sizeof(allocgate_execution_entry));
}

TEST(ParseRecord, AddsUpTheBlocksOfAProcess) {
  Arena arena;
  arena.claim_process(0, 100, "/bin/one");
  arena.claim_process(1, 101, "/bin/two");
  for (std::size_t index = 0; index < 3; ++index) {
    arena.claim_block(index, index == 2 ? 1 : 0);
    arena.block(index).allocated_bytes = 10;
    arena.block(index).deallocations = 1;
    arena.block(index).allocated_usable_bytes = 24;
    arena.block(index).deallocated_bytes = 4;
    arena.block(index).size_classes[2] = 3;
    arena.block(index).size_classes[63] = 1;
  }
  const RecordContents contents = arena.parse();
  ASSERT_EQ(contents.processes.size(), 2U);
  const RecordCounters& first = contents.processes[0].counters;
  EXPECT_EQ(contents.processes[0].executable, "/bin/one");
  EXPECT_EQ(first.allocations, 8);
  EXPECT_EQ(first.allocated_bytes, 20);
  EXPECT_EQ(first.deallocations, 2);
  EXPECT_EQ(first.live_bytes, 40);
  EXPECT_EQ(first.size_classes[2], 6U);
  EXPECT_EQ(first.size_classes[63], 2U);
  EXPECT_EQ(contents.processes[1].counters.allocations, 4);
}

TEST(ParseRecord, PeakIsAtLeastWhatLives) {
  Arena arena;
  arena.claim_process(0, 100, "");
  arena.claim_block(0, 0);
  arena.block(0).allocated_usable_bytes = 100;
  EXPECT_EQ(arena.parse().processes[0].counters.peak_live_bytes, 100);
  arena.process(0).peak_live_bytes = 500;
  EXPECT_EQ(arena.parse().processes[0].counters.peak_live_bytes, 500);
  arena.process(0).peak_live_bytes = 0;
  arena.block(0).deallocated_bytes = 300;
  EXPECT_EQ(arena.parse().processes[0].counters.live_bytes, -200) << "a forked child freed its parent's blocks";
  EXPECT_EQ(arena.parse().processes[0].counters.peak_live_bytes, 0);
}

TEST(ParseRecord, TellsHowAProcessEnded) {
  Arena arena;
  arena.claim_process(0, 100, "");
  EXPECT_FALSE(arena.parse().processes[0].exited);
  arena.process(0).state = ALLOCGATE_PROCESS_EXITED;
  arena.process(0).exit_code = 3;
  EXPECT_EQ(arena.parse().processes[0].exit_code, std::nullopt);
  arena.process(0).exit_known = 1;
  EXPECT_EQ(arena.parse().processes[0].exit_code, 3);
}

TEST(ParseRecord, ReadsFlags) {
  Arena arena;
  arena.claim_process(0, 100, "");
  arena.process(0).flags = ALLOCGATE_PROCESS_BLOCKS_EXHAUSTED | ALLOCGATE_PROCESS_FORKED | ALLOCGATE_PROCESS_THREADS;
  const RecordContents contents = arena.parse();
  EXPECT_TRUE(contents.processes[0].events_lost);
  EXPECT_TRUE(contents.processes[0].forked);
  EXPECT_TRUE(contents.processes[0].several_threads);
  EXPECT_FALSE(contents.processes[0].shadowed);
  arena.process(0).flags = ALLOCGATE_PROCESS_SHADOWED | ALLOCGATE_PROCESS_OWN_NEW | ALLOCGATE_PROCESS_OTHER_NAMESPACE;
  std::strcpy(arena.process(0).uncounted_object, "/lib/own.so");
  const RecordProcess process = arena.parse().processes[0];
  EXPECT_TRUE(process.shadowed);
  EXPECT_TRUE(process.own_new);
  EXPECT_TRUE(process.other_namespace);
  EXPECT_EQ(process.uncounted_object, "/lib/own.so");
}

TEST(ParseRecord, ReadsWindowsThatWerePublished) {
  Arena arena;
  arena.claim_process(0, 100, "");
  arena.header().next_window = 3;
  for (std::size_t index : {0, 2}) {
    arena.window(index).state = 1;
    arena.window(index).iterations = 10 + index;
    arena.window(index).allocations = 20;
    arena.window(index).open_fds = index == 0 ? -1 : 2;
    arena.window(index).flags = index == 0 ? ALLOCGATE_WINDOW_NOT_DRAINED : 0;
  }
  const RecordContents contents = arena.parse();
  ASSERT_EQ(contents.windows.size(), 2U);
  EXPECT_EQ(contents.windows[0].open_fds, std::nullopt);
  EXPECT_TRUE(contents.windows[0].not_drained);
  EXPECT_EQ(contents.windows[1].iterations, 12U);
  EXPECT_EQ(contents.windows[1].open_fds, 2);
  EXPECT_EQ(contents.windows[1].counters.allocations, 20);
}

TEST(ParseRecord, NamesProgramsThatCameWithoutHooks) {
  Arena arena;
  arena.claim_process(0, 100, "/bin/sh");
  arena.announce(0, 101, 100, "/bin/ours");
  arena.announce(1, 102, 100, "/bin/static");
  arena.announce(2, 103, 100, "/no/such", ALLOCGATE_EXECUTION_FAILED);
  arena.announce(3, 100, 1, "/bin/became");
  arena.execution(0).image_is_ours = 1;
  const RecordContents contents = arena.parse();
  ASSERT_EQ(contents.blind_programs.size(), 2U);
  EXPECT_EQ(contents.blind_programs[0].program, "/bin/static");
  EXPECT_EQ(contents.blind_programs[0].pid, 102);
  EXPECT_EQ(contents.blind_programs[0].parent_pid, 100);
  EXPECT_EQ(contents.blind_programs[1].program, "/bin/became") << "the runner's own start was not announced";
  EXPECT_FALSE(contents.executions_exhausted);
}

TEST(ParseRecord, KnowsAnImageThatWasQuickerThanItsAnnouncement) {
  Arena arena;
  arena.claim_process(0, 100, "/bin/sh");
  arena.claim_process(1, 101, "/bin/spawned");
  arena.process(1).parent_pid = 100;
  arena.announce(0, 101, 100, "/bin/spawned");
  arena.announce(1, 101, 100, "/bin/exec-of-it");
  ASSERT_EQ(arena.parse().blind_programs.size(), 1U);
  EXPECT_EQ(arena.parse().blind_programs[0].program, "/bin/exec-of-it");
  arena.execution(0).pid = 0;  // its parent was killed in posix_spawn
  EXPECT_EQ(arena.parse().blind_programs.size(), 1U);
  arena.process(1).flags = ALLOCGATE_PROCESS_FORKED;  // a fork is no image of a program
  EXPECT_EQ(arena.parse().blind_programs.size(), 2U);
}

TEST(ParseRecord, ResolvesAProgramThatStartsItself) {
  Arena arena;
  arena.claim_process(0, 100, "/bin/parent");
  arena.claim_process(1, 101, "/bin/forked");
  arena.process(1).flags = ALLOCGATE_PROCESS_FORKED;
  arena.announce(0, 101, 100, "/proc/self/exe");
  arena.announce(1, 102, 100, "/proc/self/exe");
  const RecordContents contents = arena.parse();
  ASSERT_EQ(contents.blind_programs.size(), 2U);
  EXPECT_EQ(contents.blind_programs[0].program, "/bin/forked");
  EXPECT_EQ(contents.blind_programs[1].program, "/bin/parent");
}

TEST(ParseRecord, TellsThatProgramsWereNotAnnounced) {
  Arena arena;
  arena.header().next_execution = 5;
  EXPECT_TRUE(arena.parse().executions_exhausted);
  arena.execution(1).state = 7;
  EXPECT_TRUE(arena.parse().damage);
}

TEST(ParseRecord, PassesOverClaimsThatWereNotWritten) {
  Arena arena;
  arena.claim_process(2, 100, "/bin/late");
  arena.claim_block(1, 2);
  arena.block(1).size_classes[0] = 5;
  arena.header().next_process = 1000;  // claims run past the end
  const RecordContents contents = arena.parse();
  ASSERT_EQ(contents.processes.size(), 1U);
  EXPECT_EQ(contents.processes[0].counters.allocations, 5);
}

TEST(ParseRecord, NamesDamage) {
  Arena cut;
  cut.bytes().pop_back();
  EXPECT_TRUE(cut.parse().damage);
  EXPECT_TRUE(parse_record({}, k_layout).damage);

  Arena header;
  header.header().magic = 0;
  EXPECT_TRUE(header.parse().damage);

  Arena offset;
  offset.header().windows_offset = std::numeric_limits<std::uint64_t>::max();
  EXPECT_TRUE(offset.parse().damage);

  Arena huge;
  huge.claim_process(0, 100, "");
  huge.claim_block(0, 0);
  huge.block(0).deallocations = std::numeric_limits<std::uint64_t>::max();
  EXPECT_TRUE(huge.parse().damage);
  EXPECT_TRUE(huge.parse().processes.empty());

  Arena window;
  window.claim_process(0, 100, "");
  window.header().next_window = 1;
  window.window(0).state = 1;
  window.window(0).process = 3;
  EXPECT_TRUE(window.parse().damage);
}

TEST(ParseRecord, TakesAnyBytes) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    Arena arena;
    arena.header().next_block = arena.header().next_process = arena.header().next_window = 8;
    arena.header().next_execution = 8;
    for (std::size_t at = arena.header().blocks_offset; at + 8 <= arena.bytes().size(); at += 8) {
      const std::uint64_t value = random() % 5 == 0 ? random() : random() % 5;
      std::memcpy(arena.bytes().data() + at, &value, sizeof value);
    }
    const RecordContents contents = arena.parse();
    EXPECT_TRUE(contents.damage || contents.processes.size() <= k_layout.processes);
  }
}

}  // namespace
}  // namespace allocgate
