/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_HAZARD_SECCOMP_H
#define ALLOCGATE_HAZARD_SECCOMP_H

/* A system call filter that names what it forbids. Linux on x86-64 or aarch64, glibc (for the kernel's headers). */

#include "hazard.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* From here on each of the `count` (at most 32) calls gets `action`; every other call is allowed. */
static inline void forbid(const int* calls, unsigned count, unsigned action) {
  struct sock_filter filter[2 * 32 + 2];
  struct sock_fprog program = {.len = 0, .filter = filter};
  filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (unsigned i = 0; i < count; ++i) {
    filter[program.len++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], 0, 1);
    filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
  }
  filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  require(prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) == 0, "no new privileges");
  require(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0, "the filter");
}

#endif /* ALLOCGATE_HAZARD_SECCOMP_H */
