// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "counters.hpp"

#include "live_bytes.hpp"
#include "next_functions.hpp"
#include "process_state.hpp"
#include "stacks/recording.hpp"

namespace allocgate::hooks {
namespace {

[[gnu::always_inline]] inline void subtract_usable_size(allocgate_block& block, size_t usable) {
  increment(block.deallocations);
  add(block.deallocated_bytes, usable);
  shrink_live_bytes(block, usable);
}

[[gnu::noinline]] void free_with_more(const void* caller, void* pointer) {
  const uint32_t key = process_key();
  if (__builtin_expect(t_thread.recording_key != key, 0)) {
    count_deallocation_from(caller, pointer);
  } else if (!counts_usable_sizes()) {
    increment(t_thread.block->deallocations);
  } else {
    const size_t usable = g_next.malloc_usable_size(pointer);
    subtract_usable_size(*t_thread.block, usable);
    if (g_recording.follows_blocks) {
      record_deallocation(key, forget_block(pointer), pointer, usable);
    }
  }
  g_next.free(pointer);
}

/* Needs nothing of the stack for what is the hot path when stacks are recorded. */
[[gnu::noinline]] void free_rarely(const void* caller, void* pointer) {
  if (__builtin_expect(g_recording.is_special || t_thread.recording_key != process_key(), 0)) {
    return free_with_more(caller, pointer);
  }
  increment(t_thread.block->deallocations);
  g_next.free(pointer);
}

allocgate_block* block_for_counting(const void* caller) {
  const uint32_t key = process_key();
  const bool is_known = t_thread.counts_key == key || t_thread.usable_key == key || t_thread.recording_key == key;
  return is_known ? t_thread.block : block_for_call(caller);
}

/* What is counted in another block than the thread's own, before it has one, has no stack. */
void record_stack(const allocgate_block& block, const RecordedBlock& allocated) {
  if (__builtin_expect(g_recording.is_on, 0) && &block == t_thread.block) {
    record_call_from_library(allocated);
  }
}

/* The same of what becomes of blocks. */
void record_release(const allocgate_block& block, uint32_t key, uint32_t entry, const void* pointer, size_t usable) {
  if (__builtin_expect(g_recording.follows_blocks, 0) && &block == t_thread.block) {
    record_deallocation(key, entry, pointer, usable);
  }
}

}  // namespace

size_t usable_size(void* pointer) {
  const NestedCalls nested(g_next_objects.malloc_usable_size);
  return g_next.malloc_usable_size(pointer);
}

// The two below are the hot path at ALLOCGATE_LEVEL_USABLE. They read the thread's block again after the call rather
// than keep it in a register that must be saved, and leave the rest to a jump, so that they need little of the stack.

void* count_allocation_slowly(void* pointer, size_t size) {
  if (__builtin_expect(t_thread.usable_key != process_key(), 0)) {
    return count_allocation_rarely(pointer, size);
  }
  add_allocation(*t_thread.block, size);
  const size_t usable = g_next.malloc_usable_size(pointer);
  add_usable_size(*t_thread.block, usable);
  return pointer;
}

void free_slowly(void* pointer) {
  if (__builtin_expect(t_thread.usable_key != process_key(), 0)) {
    return free_rarely(__builtin_return_address(0), pointer);
  }
  const size_t usable = g_next.malloc_usable_size(pointer);
  subtract_usable_size(*t_thread.block, usable);
  g_next.free(pointer);
}

void* count_failure() {
  if (allocgate_block* block = block_for_call(__builtin_return_address(0)); block != nullptr) {
    increment(block->failed_allocations);
  }
  return nullptr;
}

void* count_allocation_from(const void* caller, void* pointer, size_t size) {
  allocgate_block* block = block_for_counting(caller);
  if (block == nullptr) {
    return pointer;
  }
  if (pointer == nullptr) {
    increment(block->failed_allocations);
    return pointer;
  }
  add_allocation(*block, size);
  RecordedBlock allocated = {pointer, size, 0};
  if (counts_usable_sizes()) {
    allocated.usable = usable_size(pointer);
    add_usable_size(*block, allocated.usable);
  }
  record_stack(*block, allocated);
  return pointer;
}

void count_deallocation_from(const void* caller, void* pointer) {
  allocgate_block* block = block_for_counting(caller);
  const uint32_t key = process_key();
  const uint32_t entry = forget_block(pointer);
  if (block == nullptr) {
    return;
  }
  if (counts_usable_sizes()) {
    const size_t usable = usable_size(pointer);
    subtract_usable_size(*block, usable);
    record_release(*block, key, entry, pointer, usable);
  } else {
    increment(block->deallocations);
  }
}

ReallocatedBlock before_reallocation(void* pointer, const void* caller) {
  allocgate_block* block = block_for_counting(caller);
  const bool needs_size = block != nullptr && counts_usable_sizes();
  return {block, needs_size ? usable_size(pointer) : 0, pointer, process_key(), forget_block(pointer)};
}

void count_reallocation(const ReallocatedBlock& old, void* pointer, size_t size) {
  if (pointer == nullptr && size != 0 && old.entry != 0 && old.process == process_key()) {
    remember_block(old.address, old.entry);
  }
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
    usable = pointer != nullptr ? usable_size(pointer) : 0;
    add(block.allocated_usable_bytes, usable);
    add(block.deallocated_bytes, old.usable_size);
    // One step, so that a block that grows in place does not look like two for the peak.
    if (usable >= old.usable_size) {
      grow_live_bytes(block, usable - old.usable_size);
    } else {
      shrink_live_bytes(block, old.usable_size - usable);
    }
  }
  record_release(block, old.process, old.entry, old.address, old.usable_size);
  if (pointer != nullptr) {
    record_stack(block, {pointer, size, usable});
  }
}

}  // namespace allocgate::hooks
