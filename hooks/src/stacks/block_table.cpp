// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/block_table.hpp"

#include "stacks/private_memory.hpp"

namespace allocgate::hooks {
namespace {

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

/* The value of `place`, which becomes `made` if it is null; what is not needed then is given back. */
template <typename T>
T* settle(T*& place, T* made, size_t count) {
  T* expected = nullptr;
  if (__atomic_compare_exchange_n(&place, &expected, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return made;
  }
  give_memory_back(made, count);
  return expected;
}

}  // namespace

uint32_t** BlockTable::s_branches[k_branches];

uint32_t* BlockTable::make(const void* block) {
  const auto address = reinterpret_cast<uintptr_t>(block);
  if (address >> k_address_bits != 0 || address % k_alignment != 0) {
    return nullptr;
  }
  uint32_t**& branch = s_branches[address >> k_branch_shift];
  uint32_t** leaves = __atomic_load_n(&branch, __ATOMIC_ACQUIRE);
  if (leaves == nullptr) {
    leaves = take_memory<uint32_t*>(k_leaves);
    if (leaves == nullptr) {
      return nullptr;
    }
    leaves = settle(branch, leaves, k_leaves);
  }
  auto* leaf = take_memory<uint32_t>(k_leaf_slots);
  if (leaf == nullptr) {
    return nullptr;
  }
  // A child's section has none of these entries. Where the kernel cannot do it, nobody is followed.
  if (system_call(SYS_madvise, as_word(leaf), k_leaf_slots * sizeof(uint32_t), MADV_WIPEONFORK) != 0) {
    give_memory_back(leaf, k_leaf_slots);
    return nullptr;
  }
  settle(leaves[(address >> k_leaf_shift) % k_leaves], leaf, k_leaf_slots);
  return find(block);
}

}  // namespace allocgate::hooks
