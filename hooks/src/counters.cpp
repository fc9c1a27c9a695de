// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "counters.hpp"

#include "live_bytes.hpp"
#include "next_functions.hpp"
#include "process_state.hpp"

namespace allocgate::hooks {
namespace {

void add_usable_allocation(allocgate_block& block, void* pointer, size_t size) {
  const size_t usable = g_next.malloc_usable_size(pointer);
  add_allocation(block, size);
  add(block.allocated_usable_bytes, usable);
  grow_live_bytes(block, static_cast<int64_t>(usable));
}

void add_usable_deallocation(allocgate_block& block, void* pointer) {
  const size_t usable = g_next.malloc_usable_size(pointer);
  increment(block.deallocations);
  add(block.deallocated_bytes, usable);
  shrink_live_bytes(block, static_cast<int64_t>(usable));
}

}  // namespace

void* count_allocation_slowly(void* pointer, size_t size, const void* caller) {
  if (__builtin_expect(t_thread.usable_key == process_key(), 1)) {
    add_usable_allocation(*t_thread.block, pointer, size);
    return pointer;
  }
  allocgate_block* block = block_for_call(caller);
  if (block == nullptr) {
    return pointer;
  }
  if (!counts_usable_sizes()) {
    add_allocation(*block, size);
  } else {
    add_usable_allocation(*block, pointer, size);
  }
  return pointer;
}

void count_deallocation_slowly(void* pointer, const void* caller) {
  if (__builtin_expect(t_thread.usable_key == process_key(), 1)) {
    add_usable_deallocation(*t_thread.block, pointer);
    return;
  }
  allocgate_block* block = block_for_call(caller);
  if (block == nullptr) {
    return;
  }
  if (!counts_usable_sizes()) {
    increment(block->deallocations);
  } else {
    add_usable_deallocation(*block, pointer);
  }
}

void* count_failure(const void* caller) {
  if (allocgate_block* block = block_for_call(caller); block != nullptr) {
    increment(block->failed_allocations);
  }
  return nullptr;
}

ReallocatedBlock before_reallocation(void* pointer, const void* caller) {
  allocgate_block* block = block_for_call(caller);
  const bool needs_size = block != nullptr && counts_usable_sizes();
  return {block, needs_size ? g_next.malloc_usable_size(pointer) : 0};
}

void count_reallocation(const ReallocatedBlock& old, void* pointer, size_t size) {
  if (old.counted_in == nullptr) {
    return;
  }
  // A fork inside the call (from a signal handler) left the old block to the parent.
  allocgate_block& block = *block_of_this_thread();
  if (pointer == nullptr && size != 0) {
    increment(block.failed_allocations);
    return;
  }
  increment(block.deallocations);
  size_t usable = 0;
  if (pointer != nullptr) {
    increment(block.reallocations);
    add_allocation(block, size);
  }
  if (counts_usable_sizes()) {
    usable = pointer != nullptr ? g_next.malloc_usable_size(pointer) : 0;
    add(block.allocated_usable_bytes, usable);
    add(block.deallocated_bytes, old.usable_size);
    // One step, so that a block that grows in place does not look like two for the peak.
    const int64_t change = static_cast<int64_t>(usable) - static_cast<int64_t>(old.usable_size);
    if (change >= 0) {
      grow_live_bytes(block, change);
    } else {
      shrink_live_bytes(block, -change);
    }
  }
}

}  // namespace allocgate::hooks
