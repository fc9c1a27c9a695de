/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
/* A plug-in in C: `count` pairs of malloc and free. */
#include <stdlib.h>

int plugin_work(long count) {
  void* (*volatile allocate)(size_t) = malloc;
  for (; count > 0; --count) {
    free(allocate(100));
  }
  return 0;
}
