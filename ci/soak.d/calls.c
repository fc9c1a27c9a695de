// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "calls.h"

#include <stdlib.h>
#include <string.h>

enum { k_waiting = 512, k_pair_size = 48 };

static void* g_waiting[k_waiting];
static int g_forgets;
static _Thread_local struct tally t_tally;

static void add(uint64_t* number, uint64_t value) {
  __atomic_fetch_add(number, value, __ATOMIC_RELAXED);
}

struct tally tally_of_this_thread(void) {
  return t_tally;
}

void give_tally(void) {
  struct soak_file* file = soak_below_file();
  soak_add(file, soak_own_allocations, t_tally.allocations);
  soak_add(file, soak_own_deallocations, t_tally.deallocations);
  soak_add(file, soak_own_reallocations, t_tally.reallocations);
  soak_add(file, soak_own_failed_allocations, t_tally.failed_allocations);
  soak_add(file, soak_own_allocated_bytes, t_tally.allocated_bytes);
  forget_tally();
}

void forget_tally(void) {
  memset(&t_tally, 0, sizeof t_tally);
}

void forget_one_allocation(void) {
  __atomic_store_n(&g_forgets, 1, __ATOMIC_RELAXED);
}

struct random random_of(uint64_t seed, uint64_t ordinal) {
  struct random numbers = {seed * 0x9e3779b97f4a7c15u + ordinal * 0xbf58476d1ce4e5b9u + 1};
  for (int i = 0; i < 8; ++i) {
    next_random(&numbers);
  }
  return numbers;
}

uint64_t next_random(struct random* numbers) {
  numbers->state ^= numbers->state << 13;
  numbers->state ^= numbers->state >> 7;
  numbers->state ^= numbers->state << 17;
  return numbers->state * 0x2545f4914f6cdd1du >> 16;
}

static void* counted(void* pointer, size_t size) {
  if (pointer == NULL) {
    add(&t_tally.failed_allocations, 1);
    return NULL;
  }
  if (__builtin_expect(g_forgets, 0) && __atomic_exchange_n(&g_forgets, 0, __ATOMIC_RELAXED)) {
    return pointer;
  }
  add(&t_tally.allocations, 1);
  add(&t_tally.allocated_bytes, size);
  return pointer;
}

static void release(void* pointer) {
  add(&t_tally.deallocations, pointer != NULL);
  free(pointer);
}

static void* aligned(size_t size, size_t alignment) {
  void* pointer = NULL;
  return posix_memalign(&pointer, alignment, size) == 0 ? counted(pointer, size) : counted(NULL, size);
}

static void* again(void* old, size_t size, int is_array) {
  const int had_block = old != NULL;
  void* pointer = is_array ? reallocarray(old, size, 1) : realloc(old, size);
  if (had_block && (pointer != NULL || size == 0)) {
    add(&t_tally.deallocations, 1);
    add(&t_tally.reallocations, pointer != NULL);
  }
  // By what happened: nothing for nothing is a deallocation alone.
  return had_block && pointer == NULL && size == 0 ? NULL : counted(pointer, size);
}

static size_t any_size(struct random* numbers) {
  const uint64_t number = next_random(numbers);
  if (number % 256 == 0) {
    return next_random(numbers) % (1u << 20);
  }
  return number % 8 == 0 ? next_random(numbers) % 4096 : next_random(numbers) % 256;
}

/* The block that waited in a place now belongs to the caller, `mine` waits there. */
static void* trade(struct random* numbers, void* mine) {
  return __atomic_exchange_n(&g_waiting[next_random(numbers) % k_waiting], mine, __ATOMIC_ACQ_REL);
}

static void* one_call(struct random* numbers, void* block) {
  const size_t size = any_size(numbers);
  switch (next_random(numbers) % 16) {
    case 0:
      release(block);
      return counted(calloc(size, 1), size);
    case 1:
      release(block);
      return aligned(size, (size_t)16 << next_random(numbers) % 8);
    case 2:
      release(block);
      return counted(aligned_alloc(64, size / 64 * 64), size / 64 * 64);
    case 3:
    case 4:
      return again(block, size, 0);
    case 5:
      return again(block, size, 1);
    case 6:
      release(block);
      return NULL;
    case 7: {
      // More than there can be, hidden from the compiler, which would warn.
      size_t too_much = SIZE_MAX / 4;
      __asm__ volatile("" : "+r"(too_much));
      counted(malloc(too_much), too_much);
      return block;
    }
    default:
      release(block);
      return counted(malloc(size), size);
  }
}

void make_calls(struct random* numbers, unsigned times) {
  for (unsigned i = 0; i < times; ++i) {
    void* block = trade(numbers, NULL);
    const int were_own = soak_below_take(1);
    block = one_call(numbers, block);
    soak_below_restore(were_own);
    block = trade(numbers, block);
    const int were_own_again = soak_below_take(1);
    release(block);
    soak_below_restore(were_own_again);
  }
}

void make_pairs(unsigned times) {
  const int were_own = soak_below_take(1);
  for (unsigned i = 0; i < times; ++i) {
    void* volatile block = counted(malloc(k_pair_size), k_pair_size);
    release(block);
  }
  soak_below_restore(were_own);
}

void make_pair_in_handler(void) {
  make_pairs(1);
}

void free_waiting_blocks(void) {
  const int were_own = soak_below_take(1);
  for (int i = 0; i < k_waiting; ++i) {
    release(__atomic_exchange_n(&g_waiting[i], NULL, __ATOMIC_ACQ_REL));
  }
  soak_below_restore(were_own);
}
