// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/entry_index.hpp"

#include "stacks/private_memory.hpp"

namespace allocgate::hooks {

void EntryIndex::insert(uint64_t key, uint32_t place) {
  uint32_t slot = hash(key);
  while (m_slots[slot & m_mask] != 0) {
    ++slot;
  }
  m_slots[slot & m_mask] = key << k_entry_bits | place;
  m_used += 1;
}

/* Half of the slots stay empty. */
bool EntryIndex::has_room() {
  constexpr uint32_t k_first_slots = 256;
  if (m_slots != nullptr && m_used < m_mask / 2) {
    return true;
  }
  const EntryIndex old = *this;
  const uint32_t slots = old.m_slots != nullptr ? 2 * (old.m_mask + 1) : k_first_slots;
  EntryIndex larger;
  larger.m_slots = take_scattered_memory<uint64_t>(slots);
  if (larger.m_slots == nullptr) {
    // A full index would be searched for ever.
    const bool has_room = old.m_slots != nullptr && old.m_used < old.m_mask;
    if (!has_room) {
      flag_section(ALLOCGATE_STACKS_TRUNCATED);
    }
    return has_room;
  }
  larger.m_mask = slots - 1;
  for (uint32_t slot = 0; old.m_slots != nullptr && slot <= old.m_mask; ++slot) {
    const uint64_t value = old.m_slots[slot];
    if (value != 0) {
      larger.insert(value >> k_entry_bits, static_cast<uint32_t>(value) & k_entry_mask);
    }
  }
  *this = larger;
  asm volatile("" ::: "memory");
  if (old.m_slots != nullptr) {
    give_memory_back(old.m_slots, old.m_mask + 1);
  }
  return true;
}

EntrySource::Made EntrySource::take(uint32_t kind, uint32_t first, uint32_t bytes, bool may_wait) {
  if (m_page.address == nullptr || m_end + bytes > ALLOCGATE_STACKS_PAGE) {
    const SectionPage page = claim_page(kind, may_wait);
    if (page.address == nullptr) {
      return {};
    }
    m_end = first;
    m_page = page;
  }
  const uint32_t at = m_end;
  m_end += bytes;
  asm volatile("" ::: "memory");
  return {m_page.address + at, 2 * m_page.reference + at / 8};
}

}  // namespace allocgate::hooks
