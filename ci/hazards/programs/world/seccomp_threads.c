// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a filter that kills for every call that hooks like to make and a plain thread does not need
// elsewhere: the claim of a thread's counters calls gettid, open or getpid: the program is killed
// proof: N pairs in a thread that starts under the filter, N in a forked child, N in the first thread
// runs: glibc
// argument: 1000
// expect difference(1000): allocations=3000 deallocations=3000 exit=0
// expect children(1): exit=0
#include "../hazard_processes.h"
#include "../hazard_seccomp.h"
#include "../hazard_threads.h"

static void* body(void* times) {
  allocate_and_free(*(unsigned long*)times);
  return NULL;
}

int main(int argc, char** argv) {
  static const int k_calls[] = {SYS_openat,     SYS_getpid,     SYS_getppid, SYS_gettid, SYS_ftruncate,
                                SYS_fallocate,  SYS_tgkill,     SYS_tkill,   SYS_kill,   SYS_fcntl,
                                SYS_readlinkat, SYS_newfstatat, SYS_fstat,   SYS_statx,  SYS_memfd_create};
  unsigned long times = argument(argc, argv);
  forbid(k_calls, sizeof k_calls / sizeof k_calls[0], SECCOMP_RET_KILL_PROCESS);
  allocate_and_free(times);
  run_threads(1, body, &times);
  pid_t child = fork();
  if (child == 0) {
    allocate_and_free(times);
    _exit(0);
  }
  wait_for_exit(child, 0);
  say("still here\n");
  return 0;
}
