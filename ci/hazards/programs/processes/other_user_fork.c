// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a forked child that becomes another user and may not open the record
// elsewhere: its counts are lost in silence
// proof: the child makes N pairs as nobody, the parent N as itself
// runs: glibc mimalloc musl
// needs: root
// argument: 1000
// expect: allocations=2000 deallocations=2000 exit=0
// expect children(1): allocations=1000 deallocations=1000 exit=0
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  allocate_and_free(times);
  pid_t child = fork();
  if (child == 0) {
    require(setgid(65534) == 0 && setuid(65534) == 0, "became nobody");
    allocate_and_free(times);
    _exit(0);
  }
  wait_for_exit(child, 0);
  return 0;
}
