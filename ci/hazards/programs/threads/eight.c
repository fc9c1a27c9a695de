// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: 8 threads allocate at once
// elsewhere: shared counters without atomics lose events
// proof: 8 x N pairs
// runs: glibc mimalloc musl
// argument: 1000
// expect difference(1000): allocations=8000 deallocations=8000 allocated_bytes=192000 exit=0
#include "../hazard_threads.h"

static void* body(void* times) {
  allocate_and_free(*(unsigned long*)times);
  return NULL;
}

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  run_threads(8, body, &times);
  return 0;
}
