// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Who this process and this thread are in the record: the first image, a forked child, an exec, a new thread, a thread
// that takes over the block of one that is gone. Reached only when a thread's key is not the process's. Takes no lock:
// one thread claims the process entry while others wait for its key; a signal handler inside that claim counts early.
#pragma once

#include "record.hpp"
#include "thread_state.hpp"

namespace allocgate::hooks {

/*
 * The block that a call made from `caller` must be counted in; null when it must not be counted (paused, or part of a
 * request that is being counted already). Claims whatever is missing.
 */
allocgate_block* block_for_call(const void* caller);

/* The same without a caller: for readings. Never null. */
allocgate_block* block_of_this_thread();

/* Claims the process entry if that has not been done: also a program that never allocates has one. */
void start_process();

/* The library's destructor: once those of other objects have run too, where the libc can do that, says in the record
 * that the process ended, and writes the summary if one is due. What is allocated after it still counts in the record.
 */
void end_process();

/* What exit() was called with; it holds once the process ends so. */
void note_exit_code(int code);

/* The process ends without destructors: says so in the record, and writes the summary if one is due. */
void end_process_with(int code);

/* From now on a child may share this process's memory. */
void note_vfork();

struct ProcessIdentity {
  int32_t pid;
  int32_t parent_pid;
};

/* Who asks: this process, a forked child that counted nothing yet, or a vfork child. */
ProcessIdentity identify_process();

/* The entry of the image that runs here, be it this process's or that of one it was forked from; null before any. */
const allocgate_process_entry* entry_of_image();

/* Whether this process has an entry, and is not a vfork child, which shares its parent's memory. */
bool is_own_process();

/* Sets flags (enum allocgate_process_flag) on this process's entry. */
void flag_process(uint32_t flags);

/* While alive, calls that come from the given object are part of the request under way. Holds no state but the
 * thread's, so that a jump out of it (a signal handler's longjmp) costs speed and no counts. */
class NestedCalls {
public:
  explicit NestedCalls(const ObjectRange& object)
      : m_outer(t_thread.nested_in),
        m_counts_key(t_thread.counts_key),
        m_usable_key(t_thread.usable_key),
        m_recording_key(t_thread.recording_key) {
    t_thread.nested_in = &object;
    t_thread.counts_key = k_no_key;
    t_thread.usable_key = k_no_key;
    t_thread.recording_key = k_no_key;
    asm volatile("" ::: "memory");
  }
  ~NestedCalls() {
    asm volatile("" ::: "memory");
    // Should the process have forked in between, these keys are the parent's and match nothing.
    t_thread.counts_key = m_counts_key;
    t_thread.usable_key = m_usable_key;
    t_thread.recording_key = m_recording_key;
    t_thread.nested_in = m_outer;
  }
  NestedCalls(const NestedCalls&) = delete;
  NestedCalls& operator=(const NestedCalls&) = delete;

private:
  const ObjectRange* m_outer;
  uint32_t m_counts_key;
  uint32_t m_usable_key;
  uint32_t m_recording_key;
};

}  // namespace allocgate::hooks
