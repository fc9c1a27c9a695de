// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The unwind rules that this process has met, by instruction: a few thousand. Shared by all threads, without a lock: an
// entry is written before it can be found, and never changes after that but to be forgotten. Entries are numbered in
// the order of first use, so that the caller's is usually the one after the callee's: a guess that lets the processor
// run ahead of the chain from rule to return address to rule.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stacks/loader.hpp"
#include "stacks/unwind_rule.hpp"

namespace allocgate::hooks {

/* Addresses have 48 bits; the module number is above them (allocgate_stack_node.place). */
constexpr uint64_t k_address_bits = 48;

struct CachedRule {
  uint64_t place = 0;  // module and instruction; 0: none, or forgotten
  UnwindRule rule;

  bool is_for(uintptr_t at) const {
    return ((__atomic_load_n(&place, __ATOMIC_ACQUIRE) ^ at) << (64 - k_address_bits)) == 0;
  }
};

struct RuleTable {
  uint32_t capacity;      // of entries, of which the first and the last stay empty
  uint32_t mask;          // of slots
  uint32_t used;          // entries handed out, by atomic add
  uint32_t* slots;        // entry numbers by hash; 0: none
  CachedRule entries[1];  // more than one

  static uint32_t hash(uintptr_t at) { return static_cast<uint32_t>((at >> 3) ^ (at >> 18)); }
};

extern RuleTable* g_rules __attribute__((visibility("hidden")));

/* How often the loader's list was seen to change. What a thread remembers of a stack holds for one generation. */
extern uint32_t g_rule_generation __attribute__((visibility("hidden")));
inline uint32_t rule_generation() {
  return __atomic_load_n(&g_rule_generation, __ATOMIC_ACQUIRE);
}

/* To be called before each walk: brings the rules up to date if the loader's list has changed. */
void follow_loader();
inline void follow_loader_if_changed() {
  if (__builtin_expect(g_loader_watch.has_changed(), 0)) {
    follow_loader();
  }
}

/* One walk's view of the rules; after start_rules(). */
class RuleReader {
public:
  RuleReader() : m_table(__atomic_load_n(&g_rules, __ATOMIC_ACQUIRE)) {}

  [[gnu::always_inline]] CachedRule find(uintptr_t at) {
    const CachedRule& next = m_table->entries[m_cursor + 1];
    if (__builtin_expect(next.is_for(at), 1)) {
      m_cursor += 1;
      return next;
    }
    const uint32_t entry = __atomic_load_n(&m_table->slots[RuleTable::hash(at) & m_table->mask], __ATOMIC_ACQUIRE);
    if (__builtin_expect(m_table->entries[entry].is_for(at), 1)) {
      m_cursor = entry;
      return m_table->entries[entry];
    }
    return find_in_table(at);
  }

  /* What need not be looked for; a rule of the kind `none`: find() does. */
  [[gnu::always_inline]] UnwindRule find_quickly(uintptr_t at, uint64_t& place) {
    uint32_t entry = m_cursor + 1;
    place = __atomic_load_n(&m_table->entries[entry].place, __ATOMIC_ACQUIRE);
    if (__builtin_expect((place ^ at) << (64 - k_address_bits) != 0, 0)) {
      entry = __atomic_load_n(&m_table->slots[RuleTable::hash(at) & m_table->mask], __ATOMIC_ACQUIRE);
      place = __atomic_load_n(&m_table->entries[entry].place, __ATOMIC_ACQUIRE);
      if (__builtin_expect((place ^ at) << (64 - k_address_bits) != 0, 0)) {
        return {};
      }
    }
    m_cursor = entry;
    return m_table->entries[entry].rule;
  }

private:
  /* Also finds what is not in the table in the module's own tables, and adds it. */
  CachedRule find_in_table(uintptr_t at);

  const RuleTable* m_table;
  uint32_t m_cursor = 0;
};

/* Begins anew with an empty table: the section, and so the modules' numbers, are new ones. False without memory. */
bool start_rules();

}  // namespace allocgate::hooks
