// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a forked child whose root is an empty folder
// elsewhere: it cannot open the record or its own /proc entry and is lost
// proof: the child makes N pairs, the parent 10
// runs: glibc mimalloc musl
// needs: root
// argument: 1000
// expect: allocations=1010 deallocations=1010 exit=0
// expect children(1): allocations=1000 deallocations=1000 exit=0
#include "../hazard_processes.h"

#include <sys/stat.h>

int main(int argc, char** argv) {
  allocate_and_free(10);
  require(mkdir("empty", 0755) == 0, "an empty folder in the working folder");
  pid_t child = fork();
  if (child == 0) {
    require(chroot("empty") == 0 && chdir("/") == 0, "chroot");
    allocate_and_free(argument(argc, argv));
    _exit(0);
  }
  wait_for_exit(child, 0);
  return 0;
}
