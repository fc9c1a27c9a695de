// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: errno across every call, at the first call of a process, of a thread and of a child
// elsewhere: the hooks' own system calls leave their error behind
// proof: 3 x N pairs; errno must keep what the program put there
// runs: glibc musl
// argument: 1000
// expect difference(1000): allocations=3000 deallocations=3000 exit=0
// expect children(1): exit=0
#include "../hazard_processes.h"
#include "../hazard_threads.h"

static void* body(void* times) {
  errno = EXDEV;
  allocate_and_free(*(unsigned long*)times);
  free(NULL);
  require(errno == EXDEV, "errno is as it was");
  return NULL;
}

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  body(&times);
  run_threads(1, body, &times);
  pid_t child = fork();
  if (child == 0) {
    body(&times);
    _exit(0);
  }
  wait_for_exit(child, 0);
  return 0;
}
