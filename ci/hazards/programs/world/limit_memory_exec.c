// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a program that starts with 16 MiB of address space
// elsewhere: the record does not fit and the program is not started, or counts 0 in silence
// proof: N pairs in the limited image, counted or named as not counted
// runs: glibc musl
// argument: 1000
// expect: allocations=1000 deallocations=1000 exit=0
// or note: world_limit_memory_exec
#include "../hazard_processes.h"

#include <sys/resource.h>

int main(int argc, char** argv) {
  struct rlimit limit = {16 << 20, 16 << 20};
  if (is_child_role(argc, argv)) {
    allocate_and_free(argument(argc, argv));
    say("limited\n");
    return 0;
  }
  require(setrlimit(RLIMIT_AS, &limit) == 0, "setrlimit");
  execl(argv[0], argv[0], argv[1], "child", (char*)NULL);
  return 98;
}
