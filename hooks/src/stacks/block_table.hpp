// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// To which entry of the section each live block belongs, by its address: a table of all addresses in three steps, of
// which only what blocks lie in is ever there. It has 4 bytes for 8 of a heap, so that it costs at most half of it. No
// lock and nothing to search: a place in it belongs to whoever has the block, from the allocation to the deallocation.
// In a forked child it is empty.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace allocgate::hooks {

class BlockTable {
public:
  /* False when there is no memory for it, or the address is none of a kind that allocators give. */
  static bool put(const void* block, uint32_t place) {
    uint32_t* slot = find(block);
    if (__builtin_expect(slot == nullptr, 0)) {
      slot = make(block);
      if (slot == nullptr) {
        return false;
      }
    }
    __atomic_store_n(slot, place, __ATOMIC_RELAXED);
    return true;
  }

  /* What was put there, and takes it away; 0 when it was nothing. */
  static uint32_t take(const void* block) {
    uint32_t* slot = find(block);
    if (__builtin_expect(slot == nullptr, 0)) {
      return 0;
    }
    const uint32_t place = __atomic_load_n(slot, __ATOMIC_RELAXED);
    if (place != 0) {
      __atomic_store_n(slot, 0, __ATOMIC_RELAXED);
    }
    return place;
  }

private:
  static constexpr unsigned k_address_bits = 47;
  static constexpr unsigned k_leaf_shift = 20;
  static constexpr unsigned k_branch_shift = 34;
  static constexpr uintptr_t k_alignment = 8;
  static constexpr size_t k_leaf_slots = (size_t{1} << k_leaf_shift) / k_alignment;
  static constexpr size_t k_leaves = size_t{1} << (k_branch_shift - k_leaf_shift);
  static constexpr size_t k_branches = size_t{1} << (k_address_bits - k_branch_shift);

  static uint32_t* find(const void* block) {
    const auto address = reinterpret_cast<uintptr_t>(block);
    if (__builtin_expect(address >> k_address_bits != 0 || address % k_alignment != 0, 0)) {
      return nullptr;
    }
    uint32_t** branch = __atomic_load_n(&s_branches[address >> k_branch_shift], __ATOMIC_ACQUIRE);
    if (__builtin_expect(branch == nullptr, 0)) {
      return nullptr;
    }
    uint32_t* leaf = __atomic_load_n(&branch[(address >> k_leaf_shift) % k_leaves], __ATOMIC_ACQUIRE);
    return __builtin_expect(leaf == nullptr, 0) ? nullptr : leaf + address / k_alignment % k_leaf_slots;
  }
  static uint32_t* make(const void* block);

  static uint32_t** s_branches[k_branches] __attribute__((visibility("hidden")));
};

}  // namespace allocgate::hooks
