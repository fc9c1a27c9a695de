/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
/* Starting programs and ending: each case ends with 0 when everything was as without the hooks. */
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

enum { k_failed = 99 };

extern char** environ;

static char* g_nothing[] = {NULL};

static int wait_for(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
    return k_failed;
  }
  return WEXITSTATUS(status);
}

/* Four programs a round that cannot be started, each with the libc's error. */
static int not_found(long count) {
  char* words[] = {(char*)"nowhere", NULL};
  pid_t pid = 77;
  if (count > 1) {
    HOLDS(not_found(count - 1) == 0);
  }
  errno = 0;
  HOLDS(execv("/nowhere/program", words) == -1 && errno == ENOENT);
  HOLDS(execlp("no-such-program", "nowhere", (char*)NULL) == -1 && errno == ENOENT);
  HOLDS(execle("/nowhere/program", "nowhere", (char*)NULL, g_nothing) == -1 && errno == ENOENT);
  HOLDS(posix_spawn(&pid, "/nowhere/program", NULL, NULL, words, environ) == ENOENT);
  return 0;
}

/* Becomes `env` through PATH, which becomes `true` without the hooks. */
static int lost(long count) {
  (void)count;
  execlp("env", "env", "-i", "/bin/true", (char*)NULL);
  return k_failed;
}

/* One child by posix_spawn that has the hooks, one by vfork that has not. */
static int spawned(long count) {
  char* words[] = {(char*)"true", NULL};
  pid_t pid = 0;
  (void)count;
  HOLDS(posix_spawnp(&pid, "true", NULL, NULL, words, environ) == 0);
  HOLDS(wait_for(pid) == 0);
  pid = vfork();
  if (pid == 0) {
    execve("/bin/true", words, g_nothing);
    _exit(k_failed);
  }
  HOLDS(wait_for(pid) == 0);
  HOLDS(system("exit 5") == 5 << 8);
  HOLDS(system(NULL) != 0);
  return 0;
}

static void in_handler(void) {
  _exit(7);
}

/* Children that end by exit(3), _exit(4), quick_exit(5), _exit(7) in a handler of exit(6), by returning 9 from main,
 * and by _exit(8) of a child that shares their parent's memory. */
static int ended(long count) {
  static const int k_codes[] = {3, 4, 5, 7, 9};
  int end;
  for (end = 3; end <= 7; ++end) {
    const pid_t child = fork();
    if (child == 0) {
      free(used(malloc((size_t)count)));
      if (end == 3) {
        exit(3);
      } else if (end == 4) {
        _exit(4);
      } else if (end == 5) {
        quick_exit(5);
      } else if (end == 7) {
        return 9;
      }
      atexit(in_handler);
      exit(6);
    }
    HOLDS(wait_for(child) == k_codes[end - 3]);
  }
  {
    const pid_t child = vfork();
    if (child == 0) {
      _exit(8);
    }
    HOLDS(wait_for(child) == 8);
  }
  abort();
}

static const struct probe_case k_cases[] = {
    {"not_found", not_found},
    {"lost", lost},
    {"spawned", spawned},
    {"ended", ended},
};

PROBE_MAIN(k_cases)
