// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: strict seccomp: any system call but read, write and exit kills
// elsewhere: hooks that ask for their thread's id, or write at exit by another call, kill the program
// proof: N pairs before and N after, from memory that the heap has
// runs: glibc
// argument: 1000
// expect: allocations=2000 deallocations=2000 exit=0
#include "../hazard_seccomp.h"

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  allocate_and_free(times);
  require(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0, "strict mode");
  allocate_and_free(times);
  say("still here\n");
  syscall(SYS_exit, 0);
  return 98;
}
