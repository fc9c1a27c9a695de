// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a forked child that starts threads
// elsewhere: the child's threads write into blocks that the parent's threads own
// proof: parent and child each run 4 threads of N pairs; the child's main thread makes 3 more
// runs: glibc mimalloc musl
// argument: 1000
// expect difference(1000): allocations=8000 deallocations=8000 exit=0
// expect children(1): exit=0
#include "../hazard_processes.h"
#include "../hazard_threads.h"

static void* body(void* times) {
  allocate_and_free(*(unsigned long*)times);
  return NULL;
}

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  run_threads(4, body, &times);
  pid_t child = fork();
  if (child == 0) {
    allocate_and_free(3);
    run_threads(4, body, &times);
    _exit(0);
  }
  wait_for_exit(child, 0);
  return 0;
}
