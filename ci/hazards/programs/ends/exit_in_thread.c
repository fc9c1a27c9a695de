// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a thread that is not the first calls exit while another allocates nothing and waits
// elsewhere: counts of the waiting threads are lost, or the end hangs on one of them
// proof: the first thread makes N pairs, the second N more and an atexit handler 5
// runs: glibc mimalloc musl by-hand
// argument: 1000
// expect difference(1000): allocations=2000 deallocations=2000 exit=3
// expect ends: exited
#include "../hazard_threads.h"

static void at_exit(void) {
  allocate_and_free(5);
}

static void* body(void* times) {
  allocate_and_free(*(unsigned long*)times);
  exit(3);
}

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  pthread_t thread;
  atexit(at_exit);
  allocate_and_free(times);
  start_thread(&thread, body, &times);
  for (;;) {
    pause();
  }
}
