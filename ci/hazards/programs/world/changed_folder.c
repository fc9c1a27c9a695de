// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: the program changes to a folder that is then removed
// elsewhere: relative paths of the hooks point into nowhere
// proof: N pairs before, N in a forked child after
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=2000 deallocations=2000 exit=0
// expect children(1): allocations=1000 deallocations=1000 exit=0
#include "../hazard_processes.h"

#include <sys/stat.h>

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  allocate_and_free(times);
  require(mkdir("gone", 0700) == 0 && chdir("gone") == 0 && rmdir("../gone") == 0, "a removed working folder");
  pid_t child = fork();
  if (child == 0) {
    allocate_and_free(times);
    _exit(0);
  }
  wait_for_exit(child, 0);
  return 0;
}
