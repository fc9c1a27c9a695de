/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#include <stdlib.h>

static inline __attribute__((always_inline)) void* inner(unsigned long size) {
  return calloc(size, 16);
}

static __attribute__((noinline)) void* hidden(unsigned long size) {
  void* first = malloc(size);
  return realloc(first, size + (inner(size) != NULL));
}

void* sample_c(unsigned long size) {
  free(hidden(size));
  return inner(size);
}
