// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/rule_cache.hpp"

#include "stacks/loaded_modules.hpp"
#include "stacks/private_memory.hpp"

namespace allocgate::hooks {
namespace {

constexpr uint32_t k_first_capacity = 2048;
constexpr uint32_t k_most_entries = 1 << 20;

bool g_is_growing = false;

/* Where the slots are: behind the entries. */
size_t table_bytes(uint32_t capacity) {
  return sizeof(RuleTable) + capacity * sizeof(CachedRule) + size_t{4} * capacity * sizeof(uint32_t);
}

RuleTable* make_table(uint32_t capacity) {
  char* memory = take_memory<char>(table_bytes(capacity));
  if (memory == nullptr) {
    return nullptr;
  }
  auto* table = reinterpret_cast<RuleTable*>(memory);
  table->capacity = capacity;
  table->mask = 4 * capacity - 1;
  table->slots = reinterpret_cast<uint32_t*>(memory + sizeof(RuleTable) + capacity * sizeof(CachedRule));
  return table;
}

/* False when the table is full. */
bool insert(RuleTable& table, const CachedRule& rule, uint32_t& cursor) {
  // The last entry stays empty, so that the one after any entry can be looked at.
  const uint32_t entry = __atomic_add_fetch(&table.used, 1, __ATOMIC_RELAXED);
  if (entry + 1 >= table.capacity) {
    __atomic_fetch_sub(&table.used, 1, __ATOMIC_RELAXED);
    return false;
  }
  table.entries[entry].rule = rule.rule;
  __atomic_store_n(&table.entries[entry].place, rule.place, __ATOMIC_RELEASE);
  cursor = entry;
  constexpr uint64_t k_address = (uint64_t{1} << k_address_bits) - 1;
  uint32_t slot = RuleTable::hash(rule.place & k_address);
  for (;; ++slot) {
    uint32_t expected = 0;
    if (__atomic_compare_exchange_n(&table.slots[slot & table.mask], &expected, entry, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
      return true;
    }
  }
}

CachedRule look_up(uintptr_t at) {
  CachedRule found;
  found.place = at;
  const ModuleSearch search = find_module(at);
  if (!search.is_certain) {
    found.rule.kind = RuleKind::refused;
    return found;
  }
  if (search.module != nullptr) {
    found.place |= uint64_t{search.module->number} << k_address_bits;
    found.rule = find_rule(search.module->tables, at);
    if (found.rule.kind == RuleKind::none && is_in_loader(at)) {
      found.rule.kind = RuleKind::outermost;
    }
  }
  return found;
}

void forget_rules(uintptr_t begin, uintptr_t end) {
  constexpr uint64_t k_address = (uint64_t{1} << k_address_bits) - 1;
  RuleTable& table = *__atomic_load_n(&g_rules, __ATOMIC_SEQ_CST);
  for (uint32_t entry = 1; entry < table.capacity; ++entry) {
    const uint64_t at = __atomic_load_n(&table.entries[entry].place, __ATOMIC_ACQUIRE) & k_address;
    if (at >= begin && at < end) {
      __atomic_store_n(&table.entries[entry].place, uint64_t{0}, __ATOMIC_RELEASE);
    }
  }
}

/* What was in no module may be in one now. */
void forget_what_is_in_no_module() {
  RuleTable& table = *__atomic_load_n(&g_rules, __ATOMIC_SEQ_CST);
  for (uint32_t entry = 1; entry < table.capacity; ++entry) {
    if (__atomic_load_n(&table.entries[entry].place, __ATOMIC_ACQUIRE) >> k_address_bits == 0) {
      __atomic_store_n(&table.entries[entry].place, uint64_t{0}, __ATOMIC_RELEASE);
    }
  }
}

void forget_what_may_have_changed() {
  doubt_modules(forget_rules);
  forget_what_is_in_no_module();
}

/* A table for the entries that are not forgotten, and as many more. Another thread may still read the old one, and add
 * to it what then has to be found again. */
bool replace_table(RuleTable& old) {
  if (__atomic_exchange_n(&g_is_growing, true, __ATOMIC_ACQUIRE)) {
    return false;
  }
  const uint32_t generation = rule_generation();
  bool is_replaced = __atomic_load_n(&g_rules, __ATOMIC_ACQUIRE) != &old;
  uint32_t live = 0;
  for (uint32_t entry = 1; entry < old.capacity; ++entry) {
    live += old.entries[entry].place != 0 ? 1 : 0;
  }
  const uint32_t capacity = live > old.capacity / 2 ? 2 * old.capacity : old.capacity;
  RuleTable* table = !is_replaced && capacity <= k_most_entries ? make_table(capacity) : nullptr;
  if (table != nullptr) {
    for (uint32_t entry = 1; entry < old.capacity; ++entry) {
      const CachedRule rule = old.entries[entry];
      uint32_t cursor = 0;
      if (rule.place != 0) {
        insert(*table, rule, cursor);
      }
    }
    __atomic_store_n(&g_rules, table, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&g_rule_generation, __ATOMIC_SEQ_CST) != generation) {
      // What another thread has had forgotten meanwhile may have been copied before.
      forget_what_may_have_changed();
    }
    // Its first page stays: what a reader follows is there, and leads to zeroes.
    const auto begin = (reinterpret_cast<uintptr_t>(&old) + 4096) & ~uintptr_t{4095};
    const auto end = reinterpret_cast<uintptr_t>(&old) + table_bytes(old.capacity);
    empty_memory(reinterpret_cast<char*>(begin), end - begin);
    is_replaced = true;
  }
  __atomic_store_n(&g_is_growing, false, __ATOMIC_RELEASE);
  return is_replaced;
}

}  // namespace

RuleTable* g_rules = nullptr;
uint32_t g_rule_generation = 0;

bool start_rules() {
  g_is_growing = false;
  RuleTable* old = g_rules;
  RuleTable* table = make_table(k_first_capacity);
  g_rules = table;
  if (old != nullptr) {
    // Not unmapped: a walk that was interrupted by the handler which forked goes on with it.
    const auto begin = (reinterpret_cast<uintptr_t>(old) + 4096) & ~uintptr_t{4095};
    empty_memory(reinterpret_cast<char*>(begin), reinterpret_cast<uintptr_t>(old) + table_bytes(old->capacity) - begin);
  }
  return table != nullptr;
}

void follow_loader() {
  uint64_t values[LoaderWatch::k_most_words];
  g_loader_watch.read(values);
  __atomic_fetch_add(&g_rule_generation, 1, __ATOMIC_SEQ_CST);
  forget_what_may_have_changed();
  g_loader_watch.accept(values);
}

CachedRule RuleReader::find_in_table(uintptr_t at) {
  for (uint32_t slot = RuleTable::hash(at);; ++slot) {
    const uint32_t entry = __atomic_load_n(&m_table->slots[slot & m_table->mask], __ATOMIC_ACQUIRE);
    if (entry == 0) {
      break;
    }
    if (m_table->entries[entry].is_for(at)) {
      m_cursor = entry;
      return m_table->entries[entry];
    }
  }
  const CachedRule found = look_up(at);
  m_cursor = 0;
  if (found.rule.kind == RuleKind::refused) {
    return found;
  }
  RuleTable* table = __atomic_load_n(&g_rules, __ATOMIC_ACQUIRE);
  uint32_t entry = 0;
  if (insert(*table, found, entry)) {
    m_cursor = table == m_table ? entry : 0;
  } else if (replace_table(*table)) {
    insert(*__atomic_load_n(&g_rules, __ATOMIC_ACQUIRE), found, entry);
  }
  return found;
}

}  // namespace allocgate::hooks
