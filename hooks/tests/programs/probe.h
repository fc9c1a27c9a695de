/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_TESTS_PROBE_H
#define ALLOCGATE_TESTS_PROBE_H

/*
 * What the probe programs share. A probe allocates only what its comment says: no stdio, no libc call that allocates.
 * `main` looks up the case named by the first argument; the second is a number for it. Exit code 0 when the case held,
 * 64 for an unknown case, otherwise the line that did not hold, modulo 200, plus 1.
 */

#include <stddef.h>
#include <string.h>

typedef int probe_function(long count);

struct probe_case {
  const char* name;
  probe_function* run;
};

/* Keeps a compiler from seeing that a block is never used. */
static inline void* used(void* pointer) {
  __asm__ volatile("" : "+r"(pointer) : : "memory");
  return pointer;
}

#define HOLDS(condition)         \
  do {                           \
    if (!(condition)) {          \
      return __LINE__ % 200 + 1; \
    }                            \
  } while (0)

static long parsed_number(const char* text) {
  long number = 0;
  for (; *text >= '0' && *text <= '9'; ++text) {
    number = number * 10 + (*text - '0');
  }
  return number;
}

static int run_case(const struct probe_case* cases, size_t count, int argc, char** argv) {
  size_t i;
  for (i = 0; argc > 1 && i < count; ++i) {
    if (strcmp(cases[i].name, argv[1]) == 0) {
      return cases[i].run(argc > 2 ? parsed_number(argv[2]) : 0);
    }
  }
  return 64;
}

#define PROBE_MAIN(cases)                                                 \
  int main(int argc, char** argv) {                                       \
    return run_case(cases, sizeof(cases) / sizeof(cases[0]), argc, argv); \
  }

#endif /* ALLOCGATE_TESTS_PROBE_H */
