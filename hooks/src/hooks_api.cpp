// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The C API behind allocgate/hooks.h: the one exported data symbol, allocgate_hooks_v1.
#include "hooks_table.hpp"
#include "live_bytes.hpp"
#include "process_state.hpp"
#include "readings.hpp"
#include "stacks/recording.hpp"
#include "uncounted_calls.hpp"

namespace allocgate::hooks {
namespace {

void read_process(allocgate_counters* out) {
  block_of_this_thread();
  check_what_is_not_counted();
  *out = {};
  if (const allocgate_process_entry* process = process_state().entry; process != nullptr) {
    add_process(*out, *process);
  }
}

void read_thread(allocgate_counters* out) {
  *out = {};
  add_block(*out, *block_of_this_thread());
}

void pause_thread() {
  t_thread.paused += 1;
  t_thread.counts_key = k_no_key;
  t_thread.usable_key = k_no_key;
  t_thread.recording_key = k_no_key;
}

void resume_thread() {
  if (t_thread.paused != 0) {
    t_thread.paused -= 1;
  }
}

int publish_window(const allocgate_window_entry* window) {
  block_of_this_thread();
  check_what_is_not_counted();
  if (g_record.kind != RecordKind::runner) {
    return ALLOCGATE_FULL;
  }
  allocgate_record_header& header = *g_record.header;
  const uint32_t index = __atomic_fetch_add(&header.next_window, 1, __ATOMIC_RELAXED);
  if (index >= header.window_capacity) {
    flag_process(ALLOCGATE_PROCESS_WINDOWS_EXHAUSTED);
    return ALLOCGATE_FULL;
  }
  allocgate_window_entry& entry = g_record.windows[index];
  entry = *window;
  entry.state = 0;
  entry.process = static_cast<uint32_t>(process_state().entry - g_record.processes);
  __atomic_store_n(&entry.state, 1, __ATOMIC_RELEASE);
  return ALLOCGATE_OK;
}

}  // namespace
}  // namespace allocgate::hooks

allocgate_hooks_table allocgate_hooks_v1 = {
    .size = sizeof(allocgate_hooks_table),
    .version = ALLOCGATE_RECORD_VERSION,
    .level = 0,
    .stacks = ALLOCGATE_STACKS_OFF,
    .read_process = allocgate::hooks::read_process,
    .read_thread = allocgate::hooks::read_thread,
    .pause_thread = allocgate::hooks::pause_thread,
    .resume_thread = allocgate::hooks::resume_thread,
    .reset_peak = allocgate::hooks::reset_peak_live_bytes,
    .publish_window = allocgate::hooks::publish_window,
    .raise_peak = allocgate::hooks::raise_peak_live_bytes,
    .pause_stacks = allocgate::hooks::pause_recording,
    .resume_stacks = allocgate::hooks::resume_recording,
    .set_thread_stacks = allocgate::hooks::set_recording_of_thread,
};
