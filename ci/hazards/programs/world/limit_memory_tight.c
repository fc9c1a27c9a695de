// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a program that starts with 5 MiB of address space, less than record and hooks need beside it
// elsewhere: the loader or the hooks end the program, which bare would have run
// proof: N pairs in the limited image, counted or named as not counted; the program's own output is there
// runs: glibc
// argument: 1000
// expect: allocations=1000 deallocations=1000 exit=0
// or note: world_limit_memory_tight
#include "../hazard_processes.h"

#include <sys/resource.h>

int main(int argc, char** argv) {
  struct rlimit limit = {5 << 20, 5 << 20};
  if (is_child_role(argc, argv)) {
    allocate_and_free(argument(argc, argv));
    say("limited\n");
    return 0;
  }
  require(setrlimit(RLIMIT_AS, &limit) == 0, "setrlimit");
  execl(argv[0], argv[0], argv[1], "child", (char*)NULL);
  return 98;
}
