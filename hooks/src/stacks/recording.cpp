// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/recording.hpp"

#include <allocgate/stack_record.h>

#include "counters.hpp"
#include "hooks_table.hpp"
#include "live_bytes.hpp"
#include "next_functions.hpp"
#include "process_state.hpp"
#include "stacks/loaded_modules.hpp"
#include "stacks/loader.hpp"
#include "stacks/private_memory.hpp"
#include "stacks/rule_cache.hpp"
#include "stacks/stack_recorder.hpp"
#include "stacks/stack_section.hpp"
#include "stacks/stack_tree.hpp"
#include "symbol_search.hpp"

namespace allocgate::hooks {
namespace {

#if defined(__x86_64__)
constexpr bool k_can_walk = true;
#else
constexpr bool k_can_walk = false;
#endif

constexpr size_t k_folder_capacity = 3072;
constexpr uint64_t k_most_sample_bytes = uint64_t{1} << 40;

// A copy: the program may change its environment. Empty: no stacks are asked for.
char g_folder[k_folder_capacity];
bool g_was_asked = false;
bool g_begins_paused = false;
bool g_was_asked_for_blocks = false;

StackRecorder** g_recorders = nullptr;  // by block
uint32_t g_recorder_capacity = 0;

void read_environment() {
  g_was_asked = true;
  const char* folder = environment_value(ALLOCGATE_ENV_STACKS);
  size_t length = 0;
  while (folder != nullptr && folder[length] != '\0' && length + 1 < k_folder_capacity) {
    g_folder[length] = folder[length];
    length += 1;
  }
  const char* paused = environment_value(ALLOCGATE_ENV_STACKS_PAUSED);
  const char* live = environment_value(ALLOCGATE_ENV_STACKS_LIVE);
  g_was_asked_for_blocks = live != nullptr && live[0] == '1' && live[1] == '\0';
  for (const char* digit = environment_value(ALLOCGATE_ENV_STACKS_SAMPLE);
       digit != nullptr && *digit >= '0' && *digit <= '9' && g_recording.sample_bytes < k_most_sample_bytes; ++digit) {
    g_recording.sample_bytes = 10 * g_recording.sample_bytes + static_cast<uint64_t>(*digit - '0');
  }
  g_begins_paused = paused != nullptr && paused[0] == '1' && paused[1] == '\0';
  g_recording.paused = g_begins_paused ? 1 : 0;
}

bool make_recorder_list() {
  g_recorder_capacity = g_record.header->block_capacity;
  g_recorders = take_memory<StackRecorder*>(g_recorder_capacity);
  return g_recorders != nullptr;
}

/* Whether this thread's events are recorded at this moment. */
[[gnu::always_inline]] inline bool is_recording() {
  const uint32_t setting = t_thread.stacks;
  const uint32_t paused = __atomic_load_n(&g_recording.paused, __ATOMIC_RELAXED);
  if (__builtin_expect((setting | paused) == 0, 1)) {
    return true;
  }
  return setting == ALLOCGATE_THREAD_STACKS_AS_PROCESS ? paused == 0 : setting == ALLOCGATE_THREAD_STACKS_ON;
}

[[gnu::noinline]] void note_what_is_not_recorded(const RecordedBlock& block) {
  if (StackRecorder* recorder = t_thread.recorder; recorder != nullptr) {
    recorder->note_allocation(block.address);
  }
}

[[gnu::always_inline]] inline void record_event(const FrameState& state, const RecordedBlock& block) {
  StackRecorder* recorder = t_thread.recorder;
  if (recorder == nullptr || !is_recording()) {
    return note_what_is_not_recorded(block);
  }
  follow_loader_if_changed();
  if (__builtin_expect(!recorder->record(state, block), 0)) {
    count_without_stack(block);
  }
}

/* Out of this library's own frames, which are on this thread's stack and made by known compilers. */
bool leave_library(FrameState& state) {
  RuleReader rules;
  while (is_in_this_library(reinterpret_cast<const void*>(state.pc))) {
    const UnwindRule rule = rules.find(state.instruction()).rule;
    if (rule.kind != RuleKind::from_sp && rule.kind != RuleKind::from_bp) {
      return false;
    }
    const uintptr_t from = rule.kind == RuleKind::from_sp ? state.sp : state.bp;
    const uintptr_t cfa = from + static_cast<uintptr_t>(intptr_t{rule.cfa});
    if (rule.bp != k_bp_unchanged) {
      state.bp = *reinterpret_cast<const uintptr_t*>(cfa + static_cast<uintptr_t>(8 * intptr_t{rule.bp}));
    }
    state.pc = *reinterpret_cast<const uintptr_t*>(cfa - sizeof(uintptr_t));
    state.sp = cfa;
  }
  return true;
}

/* The caller of the function that has this frame. */
[[gnu::always_inline]] inline FrameState caller_of(const void* frame) {
  const auto* words = static_cast<const uintptr_t*>(frame);
  return {words[1], reinterpret_cast<uintptr_t>(words + 2), words[0], 0};
}

}  // namespace

Recording g_recording;

void start_recording(allocgate_process_entry& entry) {
  const bool is_first = !g_was_asked;
  if (is_first) {
    read_environment();
  }
  g_recording.is_on = false;
  g_recording.follows_blocks = false;
  allocgate_hooks_v1.stacks = ALLOCGATE_STACKS_OFF;
  if (g_folder[0] == '\0' || g_record.kind == RecordKind::private_memory) {
    return;
  }
  allocgate_stacks_header identity = {};
  identity.pid = entry.pid;
  identity.parent_pid = entry.parent_pid;
  identity.process = static_cast<uint32_t>(&entry - g_record.processes);
  identity.sample_bytes = g_recording.sample_bytes;
  g_recording.follows_blocks = g_was_asked_for_blocks && counts_usable_sizes();
  identity.flags = !is_recording() || g_begins_paused ? ALLOCGATE_STACKS_PARTIAL : 0;
  g_recording.is_special = counts_usable_sizes() || g_recording.sample_bytes != 0;
  identity.flags |= g_recording.follows_blocks ? ALLOCGATE_STACKS_FOLLOWED : 0;
  const bool is_walk_interrupted = t_thread.recorder != nullptr && t_thread.recorder->is_busy();
  t_thread.recorder = nullptr;
  if (is_first) {
    find_loader();
  } else {
    note_fork_of_loader();
    forget_modules();
  }
  g_recording.is_on = k_can_walk && open_section(g_folder, identity, !is_walk_interrupted) && start_rules() &&
                      StackTree::start() && make_recorder_list();
  if (!g_recording.is_on) {
    remove_section();
    g_recording.follows_blocks = false;
    __atomic_fetch_or(&entry.flags, ALLOCGATE_PROCESS_STACKS_REFUSED, __ATOMIC_RELAXED);
    return;
  }
  allocgate_hooks_v1.stacks = g_begins_paused ? ALLOCGATE_STACKS_OF_WINDOWS : ALLOCGATE_STACKS_OF_ALL;
}

StackRecorder* recorder_of_block(const allocgate_block& block) {
  if (!g_recording.is_on) {
    return nullptr;
  }
  const auto index = static_cast<size_t>(&block - g_record.blocks);
  if (index >= g_recorder_capacity) {
    return nullptr;
  }
  StackRecorder*& recorder = g_recorders[index];
  if (recorder != nullptr) {
    recorder->pass_on();
    return recorder;
  }
  recorder = take_memory<StackRecorder>(1);
  static StackRecorder without_memory;
  if (recorder == nullptr) {
    flag_section(ALLOCGATE_STACKS_TRUNCATED);
    without_memory.refuse();
    return &without_memory;
  }
  recorder->start(static_cast<uint32_t>(index) + 1);
  return recorder;
}

void note_early_events(const allocgate_block& early, const uint64_t& counter, uint64_t value) {
  if (!g_recording.is_on || !is_recording()) {
    return;
  }
  const ptrdiff_t slot = &counter - early.size_classes;
  if (&counter == &early.allocated_bytes) {
    count_unattributed_bytes(value);
  } else if (&counter == &early.deallocations) {
    count_unattributed_deallocations(value, 0);
  } else if (&counter == &early.deallocated_bytes) {
    count_unattributed_deallocations(0, value);
  } else if (&counter == &early.allocated_usable_bytes) {
    count_unattributed_usable_bytes(value);
  } else if (slot >= 0 && slot < static_cast<ptrdiff_t>(ALLOCGATE_SIZE_CLASS_SLOTS)) {
    count_unattributed(static_cast<uint32_t>(slot), value, 0);
  }
}

namespace {

/* What count_allocation_rarely leaves over: each is a jump at its end, so that it needs nothing of the stack. */

[[gnu::noinline]] void* count_with_more(void* pointer, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t bp) {
  add_allocation(*t_thread.block, size);
  RecordedBlock block = {pointer, size, 0};
  if (counts_usable_sizes()) {
    // The thread's first event did not come by here: see usable_size().
    block.usable = g_next.malloc_usable_size(pointer);
    add_usable_size(*t_thread.block, block.usable);
  }
  record_event({pc, sp, bp, 0}, block);
  return pointer;
}

[[gnu::noinline]] void* record_again(void* pointer, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t bp) {
  record_event({pc, sp, bp, 0}, {pointer, size, 0});
  return pointer;
}

[[gnu::noinline]] void* record_other(void* pointer, size_t size, uintptr_t pc, uintptr_t sp, uintptr_t bp,
                                     uint32_t process) {
  if (__builtin_expect(!t_thread.recorder->record_other({pc, sp, bp, 0}, size, process), 0)) {
    count_without_stack({pointer, size, 0});
  }
  return pointer;
}

}  // namespace

void* count_allocation_rarely(void* pointer, size_t size) {
  const FrameState state = caller_of(__builtin_frame_address(0));
  const uint32_t process = process_key();
  if (__builtin_expect(t_thread.recording_key != process, 0)) {
    return count_allocation_from(__builtin_return_address(0), pointer, size);
  }
  StackRecorder* recorder = t_thread.recorder;
  const uint32_t paused = __atomic_load_n(&g_recording.paused, __ATOMIC_RELAXED);
  if (__builtin_expect((g_recording.is_special | paused | t_thread.stacks) != 0 || recorder == nullptr, 0)) {
    return count_with_more(pointer, size, state.pc, state.sp, state.bp);
  }
  add_allocation(*t_thread.block, size);
  if (__builtin_expect(g_loader_watch.has_changed(), 0)) {
    return record_again(pointer, size, state.pc, state.sp, state.bp);
  }
  switch (recorder->record_again(state, size, process)) {
    case StackRecorder::Again::counted:
      return pointer;
    case StackRecorder::Again::other:
      return record_other(pointer, size, state.pc, state.sp, state.bp, process);
    case StackRecorder::Again::busy:
      break;
  }
  return record_again(pointer, size, state.pc, state.sp, state.bp);
}

[[gnu::noinline]] void record_call_from_library(const RecordedBlock& block) {
  FrameState state = caller_of(__builtin_frame_address(0));
  follow_loader_if_changed();
  if (t_thread.recorder == nullptr) {
    return;
  }
  if (leave_library(state)) {
    record_event(state, block);
  } else if (is_recording()) {
    count_without_stack(block);
  }
}

void count_without_stack(const RecordedBlock& block) {
  count_unattributed(static_cast<uint32_t>(size_class_slot(block.size)), 1, block.size);
  note_what_is_not_recorded(block);
  if (g_recording.follows_blocks) {
    count_unattributed_usable_bytes(block.usable);
  }
}

void remember_block(const void* address, uint32_t entry) {
  BlockTable::put(address, entry);
}

void record_deallocation(uint32_t key, uint32_t entry, const void* address, size_t usable) {
  StackRecorder* recorder = t_thread.recorder;
  // After a fork inside of this (from a signal handler) the entry is the parent's, and so is the event.
  if (recorder != nullptr && is_recording() && key == process_key()) {
    recorder->record_deallocation(entry, address, usable);
  }
}

void pause_recording() {
  __atomic_fetch_add(&g_recording.paused, 1, __ATOMIC_SEQ_CST);
  flag_section(ALLOCGATE_STACKS_PARTIAL);
}

void resume_recording() {
  uint32_t paused = __atomic_load_n(&g_recording.paused, __ATOMIC_RELAXED);
  while (paused != 0 && !__atomic_compare_exchange_n(&g_recording.paused, &paused, paused - 1, false, __ATOMIC_SEQ_CST,
                                                     __ATOMIC_RELAXED)) {
  }
}

void set_recording_of_thread(uint32_t setting) {
  t_thread.stacks = setting;
  if (setting != ALLOCGATE_THREAD_STACKS_AS_PROCESS) {
    flag_section(ALLOCGATE_STACKS_PARTIAL);
  }
}

}  // namespace allocgate::hooks
