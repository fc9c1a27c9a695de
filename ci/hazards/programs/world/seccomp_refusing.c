// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a filter under which opening files and asking for ids fail, and then threads and a child
// elsewhere: an unexpected failure ends in abort, or its errno is seen by the program
// proof: N pairs in a new thread, N in a forked child; errno is as the program left it
// runs: glibc
// argument: 1000
// expect difference(1000): allocations=2000 deallocations=2000 exit=0
// expect children(1): exit=0
#include "../hazard_processes.h"
#include "../hazard_seccomp.h"
#include "../hazard_threads.h"

static void* body(void* times) {
  errno = 0;
  allocate_and_free(*(unsigned long*)times);
  require(errno == 0, "errno is untouched in the thread");
  return NULL;
}

int main(int argc, char** argv) {
  static const int k_calls[] = {SYS_openat, SYS_gettid, SYS_getpid,      SYS_getppid,
                                SYS_tgkill, SYS_kill,   SYS_memfd_create};
  unsigned long times = argument(argc, argv);
  forbid(k_calls, sizeof k_calls / sizeof k_calls[0], SECCOMP_RET_ERRNO | EACCES);
  run_threads(1, body, &times);
  pid_t child = fork();
  if (child == 0) {
    errno = 0;
    allocate_and_free(times);
    require(errno == 0, "errno is untouched in the child");
    _exit(0);
  }
  wait_for_exit(child, 0);
  return 0;
}
