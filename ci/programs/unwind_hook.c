/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */

/*
 * What ci/overhead holds the recording of stacks against: each malloc asks libunwind for the whole stack and counts it
 * in one table by its hash. It keeps no stack.
 */

#include "reference_hook.h"

#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <stdint.h>

enum { k_most_frames = 64, k_slots = 1 << 22 }; /* more than there are stacks */

struct counted {
  uint64_t hash;
  uint64_t allocations;
  uint64_t bytes;
};

static struct counted g_counted[k_slots];
static __thread int t_is_inside __attribute__((tls_model("initial-exec")));

static void count(void* const* frames, int depth, size_t size) {
  uint64_t hash = (uint64_t)depth * 0x9E3779B97F4A7C15u;
  for (int i = 0; i < depth; ++i) {
    hash = (hash ^ (uintptr_t)frames[i]) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  }
  hash |= 1;
  for (uint64_t slot = hash;; ++slot) {
    struct counted* counted = &g_counted[slot % k_slots];
    uint64_t found = __atomic_load_n(&counted->hash, __ATOMIC_ACQUIRE);
    if (found == 0 &&
        __atomic_compare_exchange_n(&counted->hash, &found, hash, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      found = hash;
    }
    if (found == hash) {
      __atomic_fetch_add(&counted->allocations, 1, __ATOMIC_RELAXED);
      __atomic_fetch_add(&counted->bytes, size, __ATOMIC_RELAXED);
      return;
    }
  }
}

void* malloc(size_t size) {
  require_next();
  void* block = g_next_malloc(size);
  if (t_is_inside == 0) {
    void* frames[k_most_frames];
    t_is_inside = 1;
    count(frames, unw_backtrace(frames, k_most_frames), size);
    t_is_inside = 0;
  }
  return block;
}

void free(void* block) {
  require_next();
  g_next_free(block);
}
