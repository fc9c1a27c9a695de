// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/recording.hpp"

#include <allocgate/stack_record.h>

#include "counters.hpp"
#include "hooks_table.hpp"
#include "live_bytes.hpp"
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

// A copy: the program may change its environment. Empty: no stacks are asked for.
char g_folder[k_folder_capacity];
bool g_was_asked = false;
bool g_begins_paused = false;

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

[[gnu::always_inline]] inline void record_event(const FrameState& state, size_t size) {
  StackRecorder* recorder = t_thread.recorder;
  if (recorder == nullptr || !is_recording()) {
    return;
  }
  follow_loader_if_changed();
  if (__builtin_expect(!recorder->record(state, size), 0)) {
    count_unattributed(static_cast<uint32_t>(size_class_slot(size)), 1, size);
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
  allocgate_hooks_v1.stacks = ALLOCGATE_STACKS_OFF;
  if (g_folder[0] == '\0' || g_record.kind == RecordKind::private_memory) {
    return;
  }
  allocgate_stacks_header identity = {};
  identity.pid = entry.pid;
  identity.parent_pid = entry.parent_pid;
  identity.process = static_cast<uint32_t>(&entry - g_record.processes);
  identity.flags = !is_recording() || g_begins_paused ? ALLOCGATE_STACKS_PARTIAL : 0;
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
  return recorder;
}

void note_early_events(const allocgate_block& early, const uint64_t& counter, uint64_t value) {
  if (!g_recording.is_on || !is_recording()) {
    return;
  }
  const ptrdiff_t slot = &counter - early.size_classes;
  if (&counter == &early.allocated_bytes) {
    count_unattributed_bytes(value);
  } else if (slot >= 0 && slot < static_cast<ptrdiff_t>(ALLOCGATE_SIZE_CLASS_SLOTS)) {
    count_unattributed(static_cast<uint32_t>(slot), value, 0);
  }
}

void* count_allocation_rarely(void* pointer, size_t size) {
  if (__builtin_expect(t_thread.recording_key != process_key(), 0)) {
    return count_allocation_from(__builtin_return_address(0), pointer, size);
  }
  add_allocation(*t_thread.block, size);
  if (counts_usable_sizes()) {
    add_usable_size(*t_thread.block, usable_size(pointer));
  }
  record_event(caller_of(__builtin_frame_address(0)), size);
  return pointer;
}

[[gnu::noinline]] void record_call_from_library(size_t size) {
  FrameState state = caller_of(__builtin_frame_address(0));
  follow_loader_if_changed();
  if (t_thread.recorder == nullptr) {
    return;
  }
  if (leave_library(state)) {
    record_event(state, size);
  } else if (is_recording()) {
    count_unattributed(static_cast<uint32_t>(size_class_slot(size)), 1, size);
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
