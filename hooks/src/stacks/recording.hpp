// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Whether and where this process records stacks, and the entry of the counted calls. Without ALLOCGATE_STACKS nothing
// here is reached but one comparison in what is no hot path anyway.
#pragma once

#include <allocgate/hook_record.h>
#include <stddef.h>
#include <stdint.h>

#include "thread_state.hpp"

namespace allocgate::hooks {

struct Recording {
  bool is_on = false;
  uint32_t paused = 0;  // how often, by the C API
};
extern Recording g_recording __attribute__((visibility("hidden")));

/* This process has claimed `entry`: makes its section if it is asked for stacks. Its first thread, with no key yet. */
void start_recording(allocgate_process_entry& entry);

/* What the thread that claimed `block` records with. Null where nothing is recorded. */
StackRecorder* recorder_of_block(const allocgate_block& block);

/* What one counter of the block of early events had: it goes into another block, and has no stack. */
void note_early_events(const allocgate_block& early, const uint64_t& counter, uint64_t value);

/* Counts the stack of an allocation of `size` bytes that was counted in this thread's block; this library's own frames
 * are left out. */
void record_call_from_library(size_t size);

/* For the C API: the whole process; nests. */
void pause_recording();
void resume_recording();

/* For the C API: this thread; enum allocgate_thread_stacks. */
void set_recording_of_thread(uint32_t setting);

}  // namespace allocgate::hooks
