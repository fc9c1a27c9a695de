// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: thread-specific destructors that allocate in the last of the rounds that the library makes
// elsewhere: the hooks' own key destructor has run by then: the counter block is gone or belongs to another thread
// proof: 100 threads; the destructor allocates N blocks in each of the 4 rounds (PTHREAD_DESTRUCTOR_ITERATIONS)
// runs: glibc mimalloc musl
// argument: 10
// expect difference(10): allocations=4000 deallocations=0 exit=0
#include "../hazard_threads.h"

#include <limits.h>

static pthread_key_t g_key;
static unsigned long g_times;
static unsigned long g_rounds;

static void destructor(void* value) {
  allocate_and_leak(g_times);
  __atomic_fetch_add(&g_rounds, 1, __ATOMIC_RELAXED);
  pthread_setspecific(g_key, value);
}

static void* body(void* unused) {
  pthread_setspecific(g_key, &g_key);
  return unused;
}

int main(int argc, char** argv) {
  g_times = argument(argc, argv);
  require(PTHREAD_DESTRUCTOR_ITERATIONS == 4, "four rounds of destructors");
  pthread_key_create(&g_key, destructor);
  for (int i = 0; i < 100; ++i) {
    run_threads(1, body, NULL);
  }
  say_number("rounds", (long)g_rounds);
  return 0;
}
