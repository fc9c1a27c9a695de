// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: 200 forks while three threads allocate without a pause
// elsewhere: a lock of the hooks is held at the fork: the child hangs; or counts of the parent land in the child
// proof: each child makes 10 pairs; each thread makes N, many more than it can make in the time of the forks
// runs: glibc mimalloc
// argument: 3000000
// expect difference(3000000): allocations=9000000 deallocations=9000000 exit=0
// expect children(200): allocations=10 deallocations=10 exit=0
#include "../hazard_processes.h"
#include "../hazard_threads.h"

enum { k_forks = 200, k_threads = 3 };

static void* hammer(void* times) {
  allocate_and_free(*(unsigned long*)times);
  return NULL;
}

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  pthread_t threads[k_threads];
  for (int i = 0; i < k_threads; ++i) {
    start_thread(&threads[i], hammer, &times);
  }
  for (int i = 0; i < k_forks; ++i) {
    pid_t child = fork();
    if (child == 0) {
      allocate_and_free(10);
      _exit(0);
    }
    wait_for_exit(child, 0);
  }
  for (int i = 0; i < k_threads; ++i) {
    pthread_join(threads[i], NULL);
  }
  say("done\n");
  return 0;
}
