// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/stack_counts.hpp"

#include "stacks/private_memory.hpp"

namespace allocgate::hooks {

void StackCounts::insert(Index& index, allocgate_stack_count& count) {
  uint32_t slot = hash(count.node, count.size_class);
  while (index.slots[slot & index.mask] != nullptr) {
    ++slot;
  }
  index.slots[slot & index.mask] = &count;
  index.used += 1;
}

/* Half of the slots stay empty. */
bool StackCounts::has_room() {
  constexpr uint32_t k_first_slots = 256;
  Index* old = m_index;
  if (old != nullptr && old->used < old->mask / 2) {
    return true;
  }
  const uint32_t slots = old != nullptr ? 2 * (old->mask + 1) : k_first_slots;
  auto* index = reinterpret_cast<Index*>(take_memory<char>(bytes_of(slots)));
  if (index == nullptr) {
    // A full index would be searched for ever.
    return old != nullptr && old->used < old->mask;
  }
  index->mask = slots - 1;
  for (uint32_t slot = 0; old != nullptr && slot <= old->mask; ++slot) {
    if (old->slots[slot] != nullptr) {
      insert(*index, *old->slots[slot]);
    }
  }
  m_index = index;
  asm volatile("" ::: "memory");
  if (old != nullptr) {
    give_memory_back(reinterpret_cast<char*>(old), bytes_of(old->mask + 1));
  }
  return true;
}

allocgate_stack_count* StackCounts::make(uint32_t node, uint32_t size_class, bool may_wait) {
  if (!has_room()) {
    return nullptr;
  }
  if (m_page == nullptr || m_used_of_page == ALLOCGATE_STACKS_COUNTS_A_PAGE) {
    const SectionPage page = claim_page(ALLOCGATE_STACKS_COUNTS, may_wait);
    if (page.address == nullptr) {
      return nullptr;
    }
    m_used_of_page = 0;
    m_page = page.address;
  }
  auto* counts = reinterpret_cast<allocgate_stack_count*>(m_page + sizeof(allocgate_stacks_page));
  allocgate_stack_count& count = counts[m_used_of_page];
  m_used_of_page += 1;
  asm volatile("" ::: "memory");
  count.size_class = size_class;
  __atomic_store_n(&count.node, node, __ATOMIC_RELEASE);
  insert(*m_index, count);
  return &count;
}

}  // namespace allocgate::hooks
