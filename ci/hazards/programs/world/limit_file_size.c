// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: RLIMIT_FSIZE 0, then a new image
// elsewhere: growing the record raises SIGXFSZ, which kills the program
// proof: N pairs in the limited image
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=1000 deallocations=1000 exit=0
#include "../hazard_processes.h"

#include <sys/resource.h>

int main(int argc, char** argv) {
  struct rlimit limit = {0, 0};
  if (is_child_role(argc, argv)) {
    allocate_and_free(argument(argc, argv));
    return 0;
  }
  require(setrlimit(RLIMIT_FSIZE, &limit) == 0, "setrlimit");
  execl(argv[0], argv[0], argv[1], "child", (char*)NULL);
  return 98;
}
