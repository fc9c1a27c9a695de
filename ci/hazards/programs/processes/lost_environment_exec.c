// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: the command itself is replaced by a program with an empty environment
// elsewhere: what the first image counted is printed as the whole
// proof: the first image makes 1000 pairs; the second one's 7 are counted or it is named as not counted
// runs: glibc musl
// expect: allocations=1007 exit=0
// or note: processes_lost_environment_exec
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  char* const nothing[] = {NULL};
  if (is_child_role(argc, argv)) {
    allocate_and_free(7);
    return 0;
  }
  allocate_and_free(1000);
  execle(argv[0], argv[0], "0", "child", (char*)NULL, nothing);
  return 98;
}
