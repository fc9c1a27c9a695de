// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a child that is started with an empty environment
// elsewhere: it runs without the hooks and its 0 is added to the total as if it were one
// proof: the parent makes 1000 pairs; the child's 7 are counted or it is named as not counted
// runs: glibc musl
// expect: allocations=1007 exit=0
// or note: processes_lost_environment
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  char* const nothing[] = {NULL};
  if (is_child_role(argc, argv)) {
    allocate_and_free(7);
    return 0;
  }
  allocate_and_free(1000);
  pid_t child = fork();
  if (child == 0) {
    execle(argv[0], argv[0], "0", "child", (char*)NULL, nothing);
    _exit(98);
  }
  wait_for_exit(child, 0);
  return 0;
}
