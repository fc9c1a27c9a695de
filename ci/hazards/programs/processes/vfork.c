// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: vfork, whose child runs in its parent's memory until it starts another program
// elsewhere: the child is taken for a new process and resets the parent's counters
// proof: the parent makes N pairs before and after, the child's image 7
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=2007 deallocations=2007 exit=0
// expect first: allocations=2000
// expect children(1): allocations=7 exit=0
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  if (is_child_role(argc, argv)) {
    allocate_and_free(7);
    return 0;
  }
  allocate_and_free(times);
  pid_t child = vfork();
  if (child == 0) {
    execl(argv[0], argv[0], "0", "child", (char*)NULL);
    _exit(98);
  }
  wait_for_exit(child, 0);
  allocate_and_free(times);
  return 0;
}
