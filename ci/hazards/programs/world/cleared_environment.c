// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: the program clears its environment and then forks
// elsewhere: hooks that read variables when they need them find none
// proof: N pairs after, N in the child
// runs: glibc mimalloc musl by-hand
// argument: 1000
// expect: allocations=2000 deallocations=2000 exit=0
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  clearenv();
  allocate_and_free(times);
  pid_t child = fork();
  if (child == 0) {
    allocate_and_free(times);
    _exit(0);
  }
  wait_for_exit(child, 0);
  return 0;
}
