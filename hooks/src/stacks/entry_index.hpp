// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Finds an entry of the section by a number, in private memory of one thread. A slot has the whole number beside the
// place, so that what is looked for is known without a look at the entry, which may be far from any cache.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stacks/stack_section.hpp"

namespace allocgate::hooks {

/* Where an entry is: its offset in the file divided by 8. */
constexpr uint32_t k_entry_bits = 28;
static_assert(uint64_t{k_most_units} << k_unit_shift <= uint64_t{8} << k_entry_bits);

template <typename Entry>
[[gnu::always_inline]] inline Entry& entry_at(uint32_t place) {
  constexpr uint32_t k_shift = k_unit_shift - 3;
  char* unit = __atomic_load_n(&g_section_units[place >> k_shift], __ATOMIC_RELAXED);
  return *reinterpret_cast<Entry*>(unit + size_t{8} * (place & ((1u << k_shift) - 1)));
}

class EntryIndex {
public:
  /* The place that was inserted for `key`; 0 for none. Keys are not 0 and have at most 36 bits. */
  [[gnu::always_inline]] uint32_t find(uint64_t key) const {
    if (__builtin_expect(m_slots == nullptr, 0)) {
      return 0;
    }
    for (uint32_t slot = hash(key);; ++slot) {
      const uint64_t value = m_slots[slot & m_mask];
      if (__builtin_expect(value >> k_entry_bits == key, 1) || value == 0) {
        return static_cast<uint32_t>(value) & k_entry_mask;
      }
    }
  }

  /* Makes room for one more; false without memory. */
  bool has_room();

  /* To be called after has_room(). */
  void insert(uint64_t key, uint32_t place);

private:
  static constexpr uint32_t k_entry_mask = (1u << k_entry_bits) - 1;

  static uint32_t hash(uint64_t key) { return static_cast<uint32_t>((key * 0x9E3779B97F4A7C15u) >> 32); }

  uint64_t* m_slots = nullptr;
  uint32_t m_mask = 0;
  uint32_t m_used = 0;
};

/* Entries of one size from pages of one kind, one after the other. */
class EntrySource {
public:
  struct Made {
    char* address = nullptr;  // null: no memory
    uint32_t place = 0;
  };

  /* A zeroed entry. Counted first: a handler that jumps away from the caller leaves it empty. */
  Made take(uint32_t kind, uint32_t first, uint32_t bytes, bool may_wait);

private:
  SectionPage m_page;
  uint32_t m_end = 0;  // of what is taken, in the page
};

}  // namespace allocgate::hooks
