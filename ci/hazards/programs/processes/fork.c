// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: forked children that allocate
// elsewhere: children inherit the parent's counts and report them again, or their own are lost at _exit
// proof: the parent makes N pairs before and N after, each of 3 children 5
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=2015 deallocations=2015 exit=0
// expect first: allocations=2000 deallocations=2000
// expect children(3): allocations=5 deallocations=5 exit=7
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  allocate_and_free(times);
  for (int i = 0; i < 3; ++i) {
    pid_t child = fork();
    if (child == 0) {
      allocate_and_free(5);
      _exit(7);
    }
    wait_for_exit(child, 7);
  }
  allocate_and_free(times);
  return 0;
}
