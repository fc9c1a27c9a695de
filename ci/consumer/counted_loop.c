/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */

/*
 * counted_loop N: makes N allocations of 32 bytes, frees each, and reads its own counters around them. Prints
 * "allocations=N deallocations=N bytes=32N", or "hooks not loaded". Ends with 0 in both cases: without the hooks the
 * program must work as before.
 */

#include <allocgate/hooks.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  const long count = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
  const allocgate_hooks_table* hooks = allocgate_hooks();
  allocgate_counters before = {0};
  allocgate_counters after = {0};
  if (hooks != NULL) {
    hooks->read_process(&before);
  }
  for (long i = 0; i < count; ++i) {
    /* volatile: the compiler may not remove a pair whose block nobody looks at. */
    void* volatile block = malloc(32);
    free(block);
  }
  if (hooks == NULL) {
    puts("hooks not loaded");
    return 0;
  }
  hooks->read_process(&after);
  printf("allocations=%llu deallocations=%llu bytes=%llu\n",
         (unsigned long long)(after.allocations - before.allocations),
         (unsigned long long)(after.deallocations - before.deallocations),
         (unsigned long long)(after.allocated_bytes - before.allocated_bytes));
  return 0;
}
