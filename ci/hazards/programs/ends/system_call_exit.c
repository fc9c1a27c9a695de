// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: exit_group as a bare system call
// elsewhere: hooks that write at exit, or wrap _exit, lose everything
// proof: N pairs
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=1000 deallocations=1000 exit=5
// expect ends: exited
#include "../hazard.h"

#include <sys/syscall.h>

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  syscall(SYS_exit_group, 5);
  return 98;
}
