// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: 10,000 threads, one after another, each with one pair
// elsewhere: a counter block per thread that is never used again: memory grows, or a table fills and events are lost
// proof: one pair a thread; each thread runs on the stack, and in glibc with the storage table, of the one before it,
//   so that only the first, which both runs start, makes pthread_create allocate
// runs: glibc mimalloc musl
// argument: 10000
// expect difference(10000): allocations=10000 deallocations=10000 exit=0
#include "../hazard_threads.h"

static void* body(void* unused) {
  allocate_and_free(1);
  return unused;
}

int main(int argc, char** argv) {
  unsigned long threads = argument(argc, argv);
  for (unsigned long i = 0; i <= threads; ++i) {
    run_threads(1, body, NULL);
  }
  say("done\n");
  return 0;
}
