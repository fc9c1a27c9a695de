// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: detached threads that are still alive when the process ends
// elsewhere: counts are added up when a thread ends, so that those of a living one are lost
// proof: 8 x N pairs, made before main returns
// runs: glibc mimalloc musl
// argument: 1000
// expect difference(1000): allocations=8000 deallocations=8000 exit=0
#include "../hazard_threads.h"

static pthread_barrier_t g_done;

static void* body(void* times) {
  allocate_and_free(*(unsigned long*)times);
  pthread_barrier_wait(&g_done);
  for (;;) {
    pause();
  }
  return NULL;
}

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  pthread_barrier_init(&g_done, NULL, 9);
  for (int i = 0; i < 8; ++i) {
    pthread_t thread;
    start_thread(&thread, body, &times);
    pthread_detach(thread);
  }
  pthread_barrier_wait(&g_done);
  return 0;
}
