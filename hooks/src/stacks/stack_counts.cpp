// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/stack_counts.hpp"

namespace allocgate::hooks {

uint32_t StackCounts::make(uint32_t node, uint32_t size_class, bool may_wait) {
  if (!m_index.has_room()) {
    return 0;
  }
  const EntrySource::Made made =
      m_source.take(ALLOCGATE_STACKS_COUNTS, sizeof(allocgate_stacks_page), sizeof(allocgate_stack_count), may_wait);
  if (made.address == nullptr) {
    return 0;
  }
  auto& count = *reinterpret_cast<allocgate_stack_count*>(made.address);
  count.size_class = size_class;
  __atomic_store_n(&count.node, node, __ATOMIC_RELEASE);
  m_index.insert(key(node, size_class), made.place);
  return made.place;
}

}  // namespace allocgate::hooks
