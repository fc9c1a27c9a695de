// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: posix_spawn and posix_spawnp
// elsewhere: the child shares its parent's memory until it starts: it resets the counters, or is lost
// proof: the parent makes N pairs before and after, each of the two children 7
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=2014 deallocations=2014 exit=0
// expect first: allocations=2000
// expect children(2): allocations=7 exit=0
#include "../hazard_processes.h"

#include <spawn.h>

extern char** environ;

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  char zero[] = "0";
  char role[] = "child";
  char* arguments[] = {argv[0], zero, role, NULL};
  pid_t child = 0;
  if (is_child_role(argc, argv)) {
    allocate_and_free(7);
    return 0;
  }
  allocate_and_free(times);
  require(posix_spawn(&child, argv[0], NULL, NULL, arguments, environ) == 0, "posix_spawn");
  wait_for_exit(child, 0);
  require(posix_spawnp(&child, argv[0], NULL, NULL, arguments, environ) == 0, "posix_spawnp");
  wait_for_exit(child, 0);
  allocate_and_free(times);
  return 0;
}
