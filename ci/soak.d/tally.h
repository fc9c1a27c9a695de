/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_SOAK_TALLY_H
#define ALLOCGATE_SOAK_TALLY_H

/*
 * The file that every process of a soak maps, and the library below the hooks as the program sees it. The file is an
 * array of named numbers, so that ci/soak reads it without knowing this list. Every number is added to by one atomic
 * instruction: threads, signal handlers and children may all do so.
 */

#include <stdint.h>

/* What is held against allocgate: made by the program itself, and made by the libraries that it calls. */
#define SOAK_MEASURES(of, X) \
  X(of##_allocations)        \
  X(of##_deallocations)      \
  X(of##_reallocations)      \
  X(of##_failed_allocations) \
  X(of##_allocated_bytes)

#define SOAK_NUMBERS(X)       \
  SOAK_MEASURES(own, X)       \
  SOAK_MEASURES(foreign, X)   \
  X(images)                   \
  X(threads)                  \
  X(forks)                    \
  X(execs)                    \
  X(killed)                   \
  X(plugins)                  \
  X(windows)                  \
  X(pauses)                   \
  X(signals)                  \
  X(signals_that_allocated)   \
  X(signals_inside_allocator) \
  X(mapped_at_a_tenth)        \
  X(mapped_at_most_after)     \
  X(used_at_a_tenth)          \
  X(used_at_most_after)

enum soak_number {
#define SOAK_NUMBER(name) soak_##name,
  SOAK_NUMBERS(SOAK_NUMBER)
#undef SOAK_NUMBER
      soak_number_count
};

struct soak_entry {
  char name[40];
  uint64_t value;
};

struct soak_file {
  struct soak_entry numbers[soak_number_count];
};

/* Names the file: the script makes it, of zeroes, with room for more than these. */
#define SOAK_ENV_FILE "SOAK_FILE"

/* Adds to a number of the file. Safe in signal handlers. */
static inline void soak_add(struct soak_file* file, enum soak_number number, uint64_t value) {
  __atomic_fetch_add(&file->numbers[number].value, value, __ATOMIC_RELAXED);
}

/* Of the library below the hooks. */

/* The mapped file. */
struct soak_file* soak_below_file(void);

/* From here on this thread's calls are the program's own: it counts them itself, the library does not. Returns what
 * was so before, which soak_below_restore takes: a signal handler may come in between. */
int soak_below_take(int are_own);
static inline void soak_below_restore(int were_own) {
  (void)soak_below_take(were_own);
}

/* Whether this thread is in the C library's allocator, where a signal handler must not allocate. */
int soak_below_is_inside(void);

#endif /* ALLOCGATE_SOAK_TALLY_H */
