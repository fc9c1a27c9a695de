// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: 8 threads grow and shrink blocks that lie side by side in one arena
// elsewhere: the old size is read after realloc, when the block is another thread's: live bytes drift
// proof: a thread makes N x (malloc, 2 realloc, free): 3 allocations, 3 deallocations, 2 reallocations
// runs: glibc mimalloc musl
// argument: 10000
// expect difference(10000): allocations=240000 deallocations=240000 reallocations=160000 live_bytes=0 exit=0
#include "../hazard_threads.h"

#include <malloc.h>

/* No thread begins before all are made: what pthread_create allocates must find the same heap in both runs. */
static pthread_barrier_t g_all_started;

static void* body(void* times) {
  pthread_barrier_wait(&g_all_started);
  for (unsigned long i = 0; i < *(unsigned long*)times; ++i) {
    void* block = keep(malloc(32 + i % 64));
    block = keep(realloc(block, 64 + i % 4096));
    block = keep(realloc(block, 8 + i % 32));
    free(block);
  }
  return NULL;
}

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
#ifdef __GLIBC__
  require(mallopt(M_ARENA_MAX, 1) == 1, "mallopt");
#endif
  pthread_barrier_init(&g_all_started, NULL, 8);
  run_threads(8, body, &times);
  say("done\n");
  return 0;
}
