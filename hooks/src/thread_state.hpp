// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// What a thread knows, in 56 bytes of initial-exec thread-local storage, and the one private page that tells a process
// from its parent. A thread counts without a further question while its key equals the process's: a new thread, a
// forked child, a pause and a nested call all show as another key, so that the hot path has one comparison.
#pragma once

#include <allocgate/hook_record.h>
#include <stdint.h>

#include "symbol_search.hpp"

namespace allocgate::hooks {

/* Never the key of a process: those count from 1. */
constexpr uint32_t k_no_key = 0xffffffff;

class StackRecorder;

struct ThreadState {
  uint32_t counts_key = k_no_key;    /* the process's key while this thread counts at ALLOCGATE_LEVEL_COUNTS */
  uint32_t usable_key = k_no_key;    /* the same at ALLOCGATE_LEVEL_USABLE */
  uint32_t recording_key = k_no_key; /* the same at any level, when call stacks are recorded */
  uint32_t claim_key = k_no_key;     /* the key of the process that `block` was claimed in */
  uint32_t paused = 0;               /* how often the C API paused this thread */
  allocgate_block* block = nullptr;
  const ObjectRange* nested_in = nullptr; /* the object whose calls are part of the request under way */
  StackRecorder* recorder = nullptr;      /* null: the events of `block` are not recorded */
  int32_t id = 0;                         /* this thread's, when `block` was claimed */
  uint32_t stacks = 0;                    /* enum allocgate_thread_stacks */
};

extern constinit thread_local ThreadState t_thread __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* All zero after a fork: the kernel wipes the page in the child (MADV_WIPEONFORK), also for _Fork and raw clone. */
struct ProcessState {
  uint32_t key;        /* 0 until this process claimed its entry */
  int32_t initialiser; /* the thread that is claiming it */
  int32_t pid;
  uint32_t threads;         /* blocks claimed, counting re-use */
  uint32_t next_to_revisit; /* block to look at first for an owner that is gone, index plus 1 */
  allocgate_process_entry* entry;
};

#if defined(__aarch64__)
constexpr uintptr_t k_largest_page = 65536;
#else
constexpr uintptr_t k_largest_page = 4096;
#endif

union alignas(k_largest_page) ProcessPage {
  ProcessState state;
  char bytes[k_largest_page];
};
extern ProcessPage g_process_page __attribute__((visibility("hidden")));

inline ProcessState& process_state() {
  return g_process_page.state;
}

/* The cheapest read that a race detector accepts. */
inline uint32_t process_key() {
#if defined(__SANITIZE_THREAD__)
  return __atomic_load_n(&g_process_page.state.key, __ATOMIC_ACQUIRE);
#else
  return g_process_page.state.key;
#endif
}

}  // namespace allocgate::hooks
