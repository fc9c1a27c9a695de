// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: RLIMIT_NOFILE 0: nothing can be opened any more
// elsewhere: hooks that open a file for each thread or child fail there
// proof: N pairs in the first thread, in another, and in a forked child
// runs: glibc mimalloc musl
// argument: 1000
// expect difference(1000): allocations=3000 deallocations=3000 exit=0
// expect children(1): exit=0
#include "../hazard_processes.h"
#include "../hazard_threads.h"

#include <sys/resource.h>

static void* body(void* times) {
  allocate_and_free(*(unsigned long*)times);
  return NULL;
}

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  struct rlimit limit = {0, 0};
  require(setrlimit(RLIMIT_NOFILE, &limit) == 0, "setrlimit");
  allocate_and_free(times);
  run_threads(1, body, &times);
  pid_t child = fork();
  if (child == 0) {
    allocate_and_free(times);
    _exit(0);
  }
  wait_for_exit(child, 0);
  return 0;
}
