// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Counting one event. The inline parts are the hot path: one comparison of keys, then one instruction a counter. What
// does not fit there (first use, usable sizes, pauses, nested calls) goes out of line. A block has one writing thread;
// one instruction an increment keeps that thread's signal handlers from losing or doubling an event.
#pragma once

#include <allocgate/hook_record.h>
#include <stddef.h>
#include <stdint.h>

#include "thread_state.hpp"

namespace allocgate::hooks {

/* Adds with one instruction that a signal handler on the same thread cannot split. */
inline void add(uint64_t& counter, uint64_t value) {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
  asm volatile("addq %1, %0" : "+m"(counter) : "er"(value) : "cc");
#else
  __atomic_fetch_add(&counter, value, __ATOMIC_RELAXED);
#endif
}

inline void subtract(uint64_t& counter, uint64_t value) {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
  asm volatile("subq %1, %0" : "+m"(counter) : "er"(value) : "cc");
#else
  __atomic_fetch_sub(&counter, value, __ATOMIC_RELAXED);
#endif
}

inline void increment(uint64_t& counter) {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
  asm volatile("incq %0" : "+m"(counter) : : "cc");
#else
  __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
#endif
}

/* The slot of a requested size, as hook_record.h defines it: 0 bytes wrap to slot 63. */
inline size_t size_class_slot(size_t size) {
  return 63 ^ static_cast<size_t>(__builtin_clzll(2 * static_cast<unsigned long long>(size) - 1));
}

inline void add_allocation(allocgate_block& block, size_t size) {
  increment(block.size_classes[size_class_slot(size)]);
  add(block.allocated_bytes, size);
}

/*
 * Out of line: whatever the key comparison did not settle. Each is reached by a jump in place of a call, the last thing
 * that an interposed function does, so that its return address is the interposed function's: the caller decides whether
 * a call is part of a request under way. `..._from` is told the caller instead.
 */
void* count_allocation_slowly(void* pointer, size_t size);
void* count_allocation_rarely(void* pointer, size_t size);
void free_slowly(void* pointer);
void* count_failure();
void* count_allocation_from(const void* caller, void* pointer, size_t size);
void count_deallocation_from(const void* caller, void* pointer);

/* Counts a request of `size` bytes that the next function answered with `pointer`; returns it. */
[[gnu::always_inline]] inline void* count_allocation(void* pointer, size_t size) {
  if (__builtin_expect(pointer == nullptr, 0)) {
    return count_failure();
  }
  if (__builtin_expect(t_thread.counts_key != process_key(), 0)) {
    return count_allocation_slowly(pointer, size);
  }
  add_allocation(*t_thread.block, size);
  return pointer;
}

/* Not on the hot path: tcmalloc's malloc_usable_size allocates when it is first called. The hot paths need no such
 * care: a thread's first event never takes them. */
size_t usable_size(void* pointer);

/* What must be known of a live block before realloc takes it away. */
struct ReallocatedBlock {
  allocgate_block* counted_in; /* null when the call is not counted */
  size_t usable_size;
  const void* address;
  uint32_t process; /* its key */
  uint32_t entry;   /* of the section; 0: none */
};

/* To be called before the next realloc, while `pointer` (not null) is still alive. */
ReallocatedBlock before_reallocation(void* pointer, const void* caller);

/* Counts by what happened: a block is both, null for size 0 is a deallocation, null for another size a failure. */
void count_reallocation(const ReallocatedBlock& old, void* pointer, size_t size);

}  // namespace allocgate::hooks
