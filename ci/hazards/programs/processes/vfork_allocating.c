// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a vfork child that allocates before it ends
// elsewhere: the child takes a block of its own into the shared memory, and the parent goes on counting there
// proof: child and parent share one heap: the child's 5 pairs are the parent's
// runs: glibc mimalloc
// argument: 1000
// expect: allocations=2005 deallocations=2005 exit=0
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  allocate_and_free(times);
  pid_t child = vfork();
  if (child == 0) {
    allocate_and_free(5);
    _exit(0);
  }
  wait_for_exit(child, 0);
  allocate_and_free(times);
  return 0;
}
