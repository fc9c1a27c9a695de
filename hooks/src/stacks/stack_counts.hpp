// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The counters of one thread, by stack and size class: in pages of the section that nobody else writes, found by an
// index in private memory. Whatever is interrupted and never finished, by a jump out of a signal handler, leaves at
// most an unused counter behind.
#pragma once

#include <allocgate/stack_record.h>
#include <stddef.h>
#include <stdint.h>

#include "counters.hpp"
#include "stacks/entry_index.hpp"

namespace allocgate::hooks {

class StackCounts {
public:
  /* Counts, and tells where; null when the stack is new here and there is no memory. */
  [[gnu::always_inline]] allocgate_stack_count* add_event(uint32_t node, size_t size, bool may_wait) {
    const auto size_class = static_cast<uint32_t>(size_class_slot(size));
    uint32_t place = m_index.find(key(node, size_class));
    if (__builtin_expect(place == 0, 0)) {
      place = make(node, size_class, may_wait);
      if (place == 0) {
        return nullptr;
      }
    }
    auto& count = entry_at<allocgate_stack_count>(place);
    increment(count.allocations);
    add(count.bytes, size);
    return &count;
  }

private:
  static uint64_t key(uint32_t node, uint32_t size_class) {
    return uint64_t{node} * ALLOCGATE_STACKS_CLASSES + size_class;
  }

  /* The place of a new one; 0 without memory. */
  uint32_t make(uint32_t node, uint32_t size_class, bool may_wait);

  EntryIndex m_index;
  EntrySource m_source;
};

}  // namespace allocgate::hooks
