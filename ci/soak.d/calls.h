/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_SOAK_CALLS_H
#define ALLOCGATE_SOAK_CALLS_H

/*
 * The program's own allocations: each is counted by the thread that makes it, beside the call and never by looking at
 * what the hooks say. Handlers of signals count with the thread that they interrupt.
 */

#include <stddef.h>
#include <stdint.h>

#include "tally.h"

/* What this thread did since it last gave its tally to the file. */
struct tally {
  uint64_t allocations;
  uint64_t deallocations;
  uint64_t reallocations;
  uint64_t failed_allocations;
  uint64_t allocated_bytes;
};
struct tally tally_of_this_thread(void);

/* Adds this thread's tally to the file and begins a new one. With the signals blocked. */
void give_tally(void);

/* Begins a new tally without giving the old one, which is the parent's: first thing in a forked child. */
void forget_tally(void);

/* ci/soak proves with it that a lost event is seen: the next allocation is not counted by this program. */
void forget_one_allocation(void);

/* A thread's own sequence of numbers; equal seeds give equal sequences. */
struct random {
  uint64_t state;
};
struct random random_of(uint64_t seed, uint64_t ordinal);
uint64_t next_random(struct random* numbers);
static inline int one_in(struct random* numbers, uint64_t chances) {
  return next_random(numbers) % chances == 0;
}

/* Makes `times` calls of allocating functions of any kind. Blocks wander between threads, by whom they are freed. */
void make_calls(struct random* numbers, unsigned times);

/* `times` pairs of one size, that of make_pair_in_handler, as close upon each other as can be. */
void make_pairs(unsigned times);

/* One small pair, from a signal handler where the C library allows it. */
void make_pair_in_handler(void);

/* Frees every block that waits for a thread to take it. */
void free_waiting_blocks(void);

#endif /* ALLOCGATE_SOAK_CALLS_H */
