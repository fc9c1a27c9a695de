// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: _Fork, which runs no fork handlers
// elsewhere: the child goes on writing into its parent's counters
// proof: the child makes N pairs, the parent 1000 before and 1000 after
// runs: glibc mimalloc musl
// argument: 500
// expect: allocations=2500 deallocations=2500 exit=0
// expect first: allocations=2000
// expect children(1): allocations=500 deallocations=500 exit=0
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  allocate_and_free(1000);
  pid_t child = _Fork();
  if (child == 0) {
    allocate_and_free(argument(argc, argv));
    _exit(0);
  }
  wait_for_exit(child, 0);
  allocate_and_free(1000);
  return 0;
}
