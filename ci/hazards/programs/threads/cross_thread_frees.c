// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: blocks allocated by one thread and freed by another, then by one that reuses the first one's counters
// elsewhere: per-thread live bytes go below zero and are clipped, so that the sums do not add up
// proof: N blocks; the thread that frees them starts after the one that made them has ended
// runs: glibc mimalloc musl
// argument: 1000
// expect difference(1000): allocations=1000 deallocations=1000 live_allocations=0 live_bytes=0 exit=0
#include "../hazard_threads.h"

enum { k_most = 1000 };

static void* g_blocks[k_most];
static unsigned long g_count;

static void* produce(void* unused) {
  for (unsigned long i = 0; i < g_count; ++i) {
    g_blocks[i] = keep(malloc(16 + i));
  }
  return unused;
}

static void* consume(void* unused) {
  for (unsigned long i = 0; i < g_count; ++i) {
    free(g_blocks[i]);
  }
  return unused;
}

int main(int argc, char** argv) {
  g_count = argument(argc, argv);
  require(g_count <= k_most, "at most 1000 blocks");
  run_threads(1, produce, NULL);
  run_threads(1, consume, NULL);
  return 0;
}
