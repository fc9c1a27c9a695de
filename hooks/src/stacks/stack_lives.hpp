// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// What becomes of the blocks that one thread allocates, by stack. The thread adds with one instruction, as to all of
// its counters; other threads that free its blocks have counters of their own in each entry, and pay a locked one.
#pragma once

#include <allocgate/stack_record.h>
#include <stddef.h>
#include <stdint.h>

#include "counters.hpp"
#include "stacks/entry_index.hpp"

namespace allocgate::hooks {

class StackLives {
public:
  /* Where the entry of the stack `node` is, for the thread of this number; 0 when it is new and there is no memory. */
  [[gnu::always_inline]] uint32_t find_or_make(uint32_t node, uint32_t owner, bool may_wait) {
    const uint32_t place = m_index.find(node);
    return __builtin_expect(place != 0, 1) ? place : make(node, owner, may_wait);
  }

  /* A block of `usable` bytes was allocated by the thread whose entry this is. */
  [[gnu::always_inline]] static void add_block(uint32_t place, size_t usable) {
    auto& life = entry_at<allocgate_stack_live>(place);
    add(reinterpret_cast<uint64_t&>(life.live_bytes), usable);
    const auto others = static_cast<int64_t>(__atomic_load_n(&life.deallocated_bytes_by_others, __ATOMIC_RELAXED));
    const int64_t live = life.live_bytes - others;
    if (__builtin_expect(live > life.peak_live_bytes, 0)) {
      raise_peak(life, live);
    }
  }

  /* The thread of this number frees a block that has its entry at `place`. */
  [[gnu::always_inline]] static void remove_block(uint32_t place, size_t usable, uint32_t by, bool is_its_last) {
    auto& life = entry_at<allocgate_stack_live>(place);
    if (__builtin_expect(life.owner != by, 0)) {
      __atomic_fetch_add(&life.deallocations_by_others, 1, __ATOMIC_RELAXED);
      __atomic_fetch_add(&life.deallocated_bytes_by_others, usable, __ATOMIC_RELAXED);
      return;
    }
    increment(life.deallocations);
    add(life.deallocated_bytes, usable);
    subtract(reinterpret_cast<uint64_t&>(life.live_bytes), usable);
    if (is_its_last) {
      increment(life.temporary);
    }
  }

private:
  /* The place of a new one; 0 without memory. */
  uint32_t make(uint32_t node, uint32_t owner, bool may_wait);
  static void raise_peak(allocgate_stack_live& life, int64_t live);

  EntryIndex m_index;
  EntrySource m_source;
};

}  // namespace allocgate::hooks
