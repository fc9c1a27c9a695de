// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Live bytes and their peak over all threads. Each thread keeps its drift from what the process entry has, and
// publishes it when it crosses a threshold. While one thread counts, the thresholds are set so that each new peak is
// published: exact. From the second thread on each publishes every 4 KiB: the peak is low by at most threads x 4 KiB.
#pragma once

#include <allocgate/hook_record.h>
#include <stddef.h>
#include <stdint.h>

#include "counters.hpp"

namespace allocgate::hooks {

/* Hands this thread's drift to the process entry, raises the peak and sets the thread's thresholds anew. */
void publish_live_bytes(allocgate_block& block);

/* Makes every thread publish at its next event: the process now has more than one. */
void publish_drift_of_all_threads(const allocgate_process_entry& process);

/* The process's peak becomes what is live now, or at least the given bytes. */
void reset_peak_live_bytes();
void raise_peak_live_bytes(int64_t at_least);

/* Another thread may write the thresholds. The cheapest read that a race detector accepts. */
inline int64_t peek(const int64_t& value) {
#if defined(__SANITIZE_THREAD__)
  return __atomic_load_n(&value, __ATOMIC_RELAXED);
#else
  return value;
#endif
}

inline void grow_live_bytes(allocgate_block& block, size_t bytes) {
  add(reinterpret_cast<uint64_t&>(block.unpublished_live_bytes), bytes);
  if (__builtin_expect(peek(block.unpublished_live_bytes) > peek(block.publish_above), 0)) {
    publish_live_bytes(block);
  }
}

inline void shrink_live_bytes(allocgate_block& block, size_t bytes) {
  subtract(reinterpret_cast<uint64_t&>(block.unpublished_live_bytes), bytes);
  if (__builtin_expect(peek(block.unpublished_live_bytes) < peek(block.publish_below), 0)) {
    publish_live_bytes(block);
  }
}

/* The usable size of a block that was allocated. */
[[gnu::always_inline]] inline void add_usable_size(allocgate_block& block, size_t usable) {
  add(block.allocated_usable_bytes, usable);
  grow_live_bytes(block, usable);
}

}  // namespace allocgate::hooks
