// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: children that posix_spawn starts with an empty environment, one of them without being told its id
// elsewhere: they run without the hooks in silence: no exec of the parent's own is there to be seen
// proof: the parent makes 1000 pairs; the children's 7 each are counted or they are named as not counted
// runs: glibc musl
// expect: allocations=1014 exit=0
// or note: processes_lost_environment_spawn
#include "../hazard_processes.h"

#include <spawn.h>

int main(int argc, char** argv) {
  char zero[] = "0";
  char role[] = "child";
  char* arguments[] = {argv[0], zero, role, NULL};
  char* nothing[] = {NULL};
  pid_t child = 0;
  if (is_child_role(argc, argv)) {
    allocate_and_free(7);
    return 0;
  }
  allocate_and_free(1000);
  require(posix_spawn(&child, argv[0], NULL, NULL, arguments, nothing) == 0, "posix_spawn");
  wait_for_exit(child, 0);
  require(posix_spawn(NULL, argv[0], NULL, NULL, arguments, nothing) == 0, "posix_spawn");
  require(wait(NULL) > 0, "the second child ended");
  return 0;
}
