/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */

/*
 * The plain way to count, for comparison: three counters that all threads share, each an atomic addition. One thread
 * pays for the lock prefix; several pay for the cache line that moves between them.
 */

#include "reference_hook.h"

#include <stdatomic.h>

static atomic_ulong g_allocations;
static atomic_ulong g_allocated_bytes;
static atomic_ulong g_deallocations;

void* malloc(size_t size) {
  require_next();
  void* block = g_next_malloc(size);
  if (block != NULL) {
    atomic_fetch_add_explicit(&g_allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&g_allocated_bytes, size, memory_order_relaxed);
  }
  return block;
}

void free(void* block) {
  require_next();
  if (block != NULL) {
    atomic_fetch_add_explicit(&g_deallocations, 1, memory_order_relaxed);
  }
  g_next_free(block);
}
