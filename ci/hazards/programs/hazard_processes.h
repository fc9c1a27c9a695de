/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_HAZARD_PROCESSES_H
#define ALLOCGATE_HAZARD_PROCESSES_H

/* Waiting for children, and the two roles of programs that start themselves again. Nothing here allocates. */

#include "hazard.h"

#include <sys/wait.h>

/* Waits for `child` and fails the program unless it ended with `exit_code`. */
static inline void wait_for_exit(pid_t child, int exit_code) {
  int status = 0;
  require(child > 0, "a child was started");
  while (waitpid(child, &status, 0) < 0) {
    require(errno == EINTR, "waitpid");
  }
  require(WIFEXITED(status) && WEXITSTATUS(status) == exit_code, "the child ended as expected");
}

/* Whether this image was started by the program itself: its second argument is "child". */
static inline int is_child_role(int argc, char** argv) {
  return argc > 2 && strcmp(argv[2], "child") == 0;
}

#endif /* ALLOCGATE_HAZARD_PROCESSES_H */
