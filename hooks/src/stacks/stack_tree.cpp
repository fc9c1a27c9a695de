// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/stack_tree.hpp"

#include "stacks/private_memory.hpp"

namespace allocgate::hooks {
namespace {

constexpr uint32_t k_reference_bits = 28;
constexpr uint32_t k_reference_mask = (1u << k_reference_bits) - 1;
static_assert(uint64_t{k_most_units} << (k_unit_shift - k_reference_shift) <= uint64_t{1} << k_reference_bits);

constexpr uint32_t k_first_slots = 4096;
constexpr uint32_t k_most_slots = 1u << 28;
constexpr uint32_t k_most_probes = 256;

bool g_is_growing = false;

uint64_t hash_of(uint32_t parent, uint64_t place) {
  uint64_t hash = (place ^ (uint64_t{parent} << 32)) * 0x9E3779B97F4A7C15;
  hash ^= hash >> 29;
  hash *= 0xBF58476D1CE4E5B9;
  return hash ^ (hash >> 32);
}

uint32_t tag_of(uint64_t hash) {
  return static_cast<uint32_t>(hash >> 32) & ~k_reference_mask;
}

size_t index_bytes(uint32_t slots) {
  return sizeof(TreeIndex) + slots * sizeof(uint32_t);
}

TreeIndex* make_index(uint32_t slots) {
  char* memory = take_scattered_memory<char>(index_bytes(slots));
  if (memory == nullptr) {
    return nullptr;
  }
  auto* index = reinterpret_cast<TreeIndex*>(memory);
  index->mask = slots - 1;
  return index;
}

/* Another thread's node for the same frame may go in at the same time: then there are two. False: too full here. */
bool insert(TreeIndex& index, uint64_t hash, uint32_t node) {
  auto slot = static_cast<uint32_t>(hash);
  for (uint32_t probes = 0; probes < k_most_probes; ++probes, ++slot) {
    uint32_t* place = &index.slots[slot & index.mask];
    uint32_t expected = __atomic_load_n(place, __ATOMIC_RELAXED);
    if (expected == 0 &&
        __atomic_compare_exchange_n(place, &expected, tag_of(hash) | node, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      __atomic_fetch_add(&index.used, 1, __ATOMIC_RELAXED);
      return true;
    }
  }
  return false;
}

/* Twice the size. Without memory for that the old one serves on. What other threads put into the old one meanwhile is
 * not found again, and made anew. */
void grow(TreeIndex& old) {
  if (old.mask + 1 >= k_most_slots || __atomic_exchange_n(&g_is_growing, true, __ATOMIC_ACQUIRE)) {
    return;
  }
  TreeIndex* index = nullptr;
  if (__atomic_load_n(&g_tree_index, __ATOMIC_ACQUIRE) == &old) {
    index = make_index(2 * (old.mask + 1));
  }
  if (index != nullptr) {
    for (uint32_t slot = 0; slot <= old.mask; ++slot) {
      const uint32_t reference = __atomic_load_n(&old.slots[slot], __ATOMIC_ACQUIRE) & k_reference_mask;
      if (reference != 0) {
        const allocgate_stack_node& node = node_at(reference);
        insert(*index, hash_of(node.parent, node.place), reference);
      }
    }
    __atomic_store_n(&g_tree_index, index, __ATOMIC_RELEASE);
    // Its first page stays, with the size in it: a thread may be looking.
    const auto begin = (reinterpret_cast<uintptr_t>(&old) + 4096) & ~uintptr_t{4095};
    empty_memory(reinterpret_cast<char*>(begin), reinterpret_cast<uintptr_t>(&old) + index_bytes(old.mask + 1) - begin);
  }
  __atomic_store_n(&g_is_growing, false, __ATOMIC_RELEASE);
}

}  // namespace

TreeIndex* g_tree_index = nullptr;

bool StackTree::start() {
  g_is_growing = false;
  TreeIndex* old = g_tree_index;
  g_tree_index = make_index(k_first_slots);
  if (old != nullptr) {
    const auto begin = (reinterpret_cast<uintptr_t>(old) + 4096) & ~uintptr_t{4095};
    empty_memory(reinterpret_cast<char*>(begin), reinterpret_cast<uintptr_t>(old) + index_bytes(old->mask + 1) - begin);
  }
  return g_tree_index != nullptr;
}

[[gnu::always_inline]] inline TreePlace StackTree::find_in_index(uint64_t hash, uint32_t parent, uint64_t place) {
  const TreeIndex& index = *__atomic_load_n(&g_tree_index, __ATOMIC_ACQUIRE);
  auto slot = static_cast<uint32_t>(hash);
  for (uint32_t probes = 0; probes < k_most_probes; ++probes, ++slot) {
    const uint32_t value = __atomic_load_n(&index.slots[slot & index.mask], __ATOMIC_ACQUIRE);
    if (value == 0) {
      break;
    }
    if ((value & ~k_reference_mask) == tag_of(hash)) {
      const uint32_t node = value & k_reference_mask;
      allocgate_stack_node& found = node_at(node);
      if (is_child(found, parent, place)) {
        return {node, &found};
      }
    }
  }
  return {0, nullptr};
}

TreePlace StackTree::find_or_make(TreePlace parent, uint64_t place, NodeSource& source, bool may_wait) {
  const bool is_root = parent.node < ALLOCGATE_ROOT_FIRST_NODE;
  const uint32_t second = __atomic_load_n(&parent.address->second, __ATOMIC_ACQUIRE);
  if (second != 0 && is_child(node_at(second), parent.node, place)) {
    return {second, &node_at(second)};
  }
  const uint64_t hash = hash_of(parent.node, place);
  // Who has no second child has none in the index.
  if (second != 0 || is_root) {
    const TreePlace found = find_in_index(hash, parent.node, place);
    if (found.node != 0) {
      return found;
    }
  }
  const TreePlace made = source.make(parent.node, place, may_wait);
  if (made.node == 0 || (made.node == parent.node + 1 && !is_root)) {
    return made;
  }
  uint32_t none = 0;
  if (second == 0 && !is_root &&
      __atomic_compare_exchange_n(&parent.address->second, &none, made.node, false, __ATOMIC_RELEASE,
                                  __ATOMIC_RELAXED)) {
    return made;
  }
  TreeIndex& index = *__atomic_load_n(&g_tree_index, __ATOMIC_ACQUIRE);
  if (!insert(index, hash, made.node) || __atomic_load_n(&index.used, __ATOMIC_RELAXED) > index.mask / 8 * 5) {
    grow(index);
  }
  return made;
}

TreePlace NodeSource::make(uint32_t parent, uint64_t place, bool may_wait) {
  if (m_page.address == nullptr || m_used == ALLOCGATE_STACKS_NODES_A_PAGE - 1) {
    const SectionPage page = claim_page(ALLOCGATE_STACKS_NODES, may_wait);
    if (page.address == nullptr) {
      return {0, nullptr};
    }
    m_used = 0;
    m_page = page;
  }
  // The first is the page's header. Counted first: a handler that jumps away from here leaves it empty.
  m_used += 1;
  asm volatile("" ::: "memory");
  allocgate_stack_node& node = reinterpret_cast<allocgate_stack_node*>(m_page.address)[m_used];
  node.place = place;
  __atomic_store_n(&node.parent, parent, __ATOMIC_RELEASE);
  return {m_page.reference + m_used, &node};
}

}  // namespace allocgate::hooks
