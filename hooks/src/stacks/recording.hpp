// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Whether and where this process records stacks, and the entry of the counted calls. Without ALLOCGATE_STACKS nothing
// here is reached but one comparison in what is no hot path anyway.
#pragma once

#include <allocgate/hook_record.h>
#include <stddef.h>
#include <stdint.h>

#include "stacks/block_table.hpp"
#include "thread_state.hpp"

namespace allocgate::hooks {

struct Recording {
  bool is_on = false;
  bool follows_blocks = false;  // what becomes of them
  bool is_special = false;      // more than counts at the lowest level is wanted, or less than every stack
  uint32_t paused = 0;          // how often, by the C API
  uint64_t sample_bytes = 0;    // 0: every stack is taken
};
extern Recording g_recording __attribute__((visibility("hidden")));

/* An allocation that was counted. */
struct RecordedBlock {
  const void* address;
  size_t size;    // as it was asked for
  size_t usable;  // 0 at ALLOCGATE_LEVEL_COUNTS
};

/* This process has claimed `entry`: makes its section if it is asked for stacks. Its first thread, with no key yet. */
void start_recording(allocgate_process_entry& entry);

/* What the thread that claimed `block` records with. Null where nothing is recorded. */
StackRecorder* recorder_of_block(const allocgate_block& block);

/* What one counter of the block of early events had: it goes into another block, and has no stack. */
void note_early_events(const allocgate_block& early, const uint64_t& counter, uint64_t value);

/* Counts the stack of an allocation that was counted in this thread's block; this library's own frames are left out. */
void record_call_from_library(const RecordedBlock& block);

/* An allocation that is recorded, but has no stack. */
void count_without_stack(const RecordedBlock& block);

/* A block that is about to be freed belongs to its entry no more, whether that is counted or not: its address may be
 * another's afterwards. Its entry; 0: it has none. */
[[gnu::always_inline]] inline uint32_t forget_block(const void* address) {
  return __builtin_expect(g_recording.follows_blocks, 0) ? BlockTable::take(address) : 0;
}

/* The same after a realloc that failed, in the process that forgot it. */
void remember_block(const void* address, uint32_t entry);

/* A deallocation that was counted in this thread's block, by the process `key`, of a block that had this entry. */
void record_deallocation(uint32_t key, uint32_t entry, const void* address, size_t usable);

/* For the C API: the whole process; nests. */
void pause_recording();
void resume_recording();

/* For the C API: this thread; enum allocgate_thread_stacks. */
void set_recording_of_thread(uint32_t setting);

}  // namespace allocgate::hooks
