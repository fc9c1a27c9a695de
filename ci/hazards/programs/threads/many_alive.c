// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: 1000 threads alive at once, of which each allocates
// elsewhere: a fixed table of threads overflows
// proof: 1000 x N pairs
// runs: glibc mimalloc musl
// argument: 10
// expect difference(10): allocations=10000 deallocations=10000 exit=0
#include "../hazard_threads.h"

enum { k_threads = 1000, k_stack_bytes = 64 << 10 };

static pthread_t g_threads[k_threads];
static pthread_barrier_t g_all_started;

static void* body(void* times) {
  pthread_barrier_wait(&g_all_started);
  allocate_and_free(*(unsigned long*)times);
  pthread_barrier_wait(&g_all_started);
  return NULL;
}

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, k_stack_bytes);
  pthread_barrier_init(&g_all_started, NULL, k_threads);
  for (int i = 0; i < k_threads; ++i) {
    require(pthread_create(&g_threads[i], &attributes, body, &times) == 0, "pthread_create");
  }
  for (int i = 0; i < k_threads; ++i) {
    pthread_join(g_threads[i], NULL);
  }
  say("done\n");
  return 0;
}
