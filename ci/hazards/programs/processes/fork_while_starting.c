// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: 200 forks while two threads start one short thread after another, each of which takes over counters
// elsewhere: the child is forked while a thread that it does not have is half way through taking them, and waits for it
// proof: each child makes 10 pairs; what the parent's threads need of the C library varies
// runs: glibc mimalloc musl
// argument: 1
// expect: exit=0
// expect children(200): allocations=10 deallocations=10 exit=0
#include "../hazard_processes.h"
#include "../hazard_threads.h"

enum { k_forks = 200, k_starters = 2 };

static int g_is_over;

static void* allocate(void* unused) {
  allocate_and_free(3);
  return unused;
}

static void* start_threads(void* unused) {
  while (!__atomic_load_n(&g_is_over, __ATOMIC_RELAXED)) {
    run_threads(1, allocate, NULL);
  }
  return unused;
}

int main(void) {
  pthread_t starters[k_starters];
  for (int i = 0; i < k_starters; ++i) {
    start_thread(&starters[i], start_threads, NULL);
  }
  for (int i = 0; i < k_forks; ++i) {
    pid_t child = fork();
    if (child == 0) {
      allocate_and_free(10);
      _exit(0);
    }
    wait_for_exit(child, 0);
  }
  __atomic_store_n(&g_is_over, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < k_starters; ++i) {
    pthread_join(starters[i], NULL);
  }
  return 0;
}
