// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a program that writes to the last byte of malloc_usable_size
// elsewhere: hooks that keep a header of their own give a size that is not theirs to give
// proof: N pairs; the sum of usable sizes must be that of the bare run, and allocated_usable_bytes that same sum
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=1000 deallocations=1000 allocated_bytes=499500 live_bytes=0 exit=0
#include "../hazard.h"

#include <malloc.h>

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  long sum = 0;
  for (unsigned long size = 0; size < times; ++size) {
    void* block = keep(malloc(size));
    size_t usable = malloc_usable_size(block);
    memset(block, 0xff, usable);
    sum += (long)usable;
    free(block);
  }
  say_number("usable bytes", sum);
  say_number("of NULL", (long)malloc_usable_size(NULL));
  return 0;
}
