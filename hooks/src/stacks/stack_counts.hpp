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
#include "stacks/stack_section.hpp"

namespace allocgate::hooks {

class StackCounts {
public:
  /* False when the stack is new here and there is no memory: the event was not counted. */
  [[gnu::always_inline]] bool add_event(uint32_t node, size_t size, bool may_wait) {
    const auto size_class = static_cast<uint32_t>(size_class_slot(size));
    allocgate_stack_count* count = find(node, size_class);
    if (__builtin_expect(count == nullptr, 0)) {
      count = make(node, size_class, may_wait);
      if (count == nullptr) {
        return false;
      }
    }
    increment(count->allocations);
    add(count->bytes, size);
    return true;
  }

private:
  struct Index {
    uint32_t mask;
    uint32_t used;
    allocgate_stack_count* slots[1];  // more than one
  };

  static uint32_t hash(uint32_t node, uint32_t size_class) { return (node * 64 + size_class) * 0x9E3779B1u >> 7; }

  [[gnu::always_inline]] allocgate_stack_count* find(uint32_t node, uint32_t size_class) const {
    if (m_index == nullptr) {
      return nullptr;
    }
    for (uint32_t slot = hash(node, size_class);; ++slot) {
      allocgate_stack_count* count = m_index->slots[slot & m_index->mask];
      if (count == nullptr || (count->node == node && count->size_class == size_class)) {
        return count;
      }
    }
  }

  allocgate_stack_count* make(uint32_t node, uint32_t size_class, bool may_wait);
  static size_t bytes_of(uint32_t slots) { return sizeof(Index) + slots * sizeof(allocgate_stack_count*); }
  static void insert(Index& index, allocgate_stack_count& count);
  bool has_room();

  Index* m_index = nullptr;
  char* m_page = nullptr;
  uint32_t m_used_of_page = 0;
};

}  // namespace allocgate::hooks
