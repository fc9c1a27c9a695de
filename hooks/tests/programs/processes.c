/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
/* Processes: each case makes 10 allocations itself, and `count` in every child it starts. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

enum { k_own = 10, k_size = 100, k_failed = 99 };

pid_t _Fork(void) __attribute__((weak));

static long g_count;

static void allocate(long count) {
  for (; count > 0; --count) {
    used(malloc(k_size));
  }
}

static int wait_for(pid_t child) {
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
    return k_failed;
  }
  return WEXITSTATUS(status);
}

/* One forked child: count allocations in an entry of its own. */
static int plain_fork(long count) {
  pid_t child;
  allocate(k_own);
  child = fork();
  if (child == 0) {
    allocate(count);
    _exit(0);
  }
  return wait_for(child);
}

/* The same without the libc's handlers. */
static int bare_fork(long count) {
  pid_t child;
  allocate(k_own);
  HOLDS(_Fork != NULL);
  child = _Fork();
  if (child == 0) {
    allocate(count);
    _exit(0);
  }
  return wait_for(child);
}

static int raw_fork(long count) {
  pid_t child;
  allocate(k_own);
  child = (pid_t)syscall(SYS_clone, 17 /* SIGCHLD */, 0, 0, 0, 0);
  if (child == 0) {
    allocate(count);
    _exit(0);
  }
  return wait_for(child);
}

/* A child of vfork shares its parent's memory and counts as its parent. */
static int vforked(long count) {
  pid_t child;
  allocate(k_own);
  g_count = count;
  child = vfork();
  if (child == 0) {
    allocate(g_count);
    _exit(0);
  }
  return wait_for(child);
}

static void* allocate_in_thread(void* unused) {
  allocate(g_count);
  return unused;
}

/* A child that allocates only in a thread of its own, before its first thread does: count in the thread, 10 after it.
 */
static int fork_then_thread(long count) {
  pid_t child;
  allocate(k_own);
  g_count = count;
  child = fork();
  if (child == 0) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, allocate_in_thread, NULL) != 0 || pthread_join(thread, NULL) != 0) {
      _exit(k_failed);
    }
    allocate(k_own);
    _exit(0);
  }
  return wait_for(child);
}

/* A child without descriptors, in another root folder, as nobody (where it may): its counts are there all the same. */
static int confined_fork(long count) {
  pid_t child;
  allocate(k_own);
  child = fork();
  if (child == 0) {
    struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_NOFILE, &none) != 0) {
      _exit(k_failed);
    }
    if (geteuid() == 0 && (chroot("/proc") != 0 || syscall(SYS_setresuid, 65534, 65534, 65534) != 0)) {
      _exit(k_failed);
    }
    allocate(count);
    _exit(0);
  }
  return wait_for(child);
}

/* 200 forks in a row, each child with `count` allocations. */
static int many_forks(long count) {
  int i;
  allocate(k_own);
  for (i = 0; i < 200; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      allocate(count);
      _exit(0);
    }
    HOLDS(wait_for(child) == 0);
  }
  return 0;
}

/* An image that becomes another, `count` times: one entry of the same pid each, 10 allocations in every one. */
static int exec_chain(long count) {
  char number[2] = {(char)('0' + count - 1), '\0'};
  char* arguments[] = {(char*)"exec_chain", (char*)"exec_chain", number, NULL};
  allocate(k_own);
  if (count == 0) {
    return 0;
  }
  execv("/proc/self/exe", arguments);
  return k_failed;
}

/* A program that closes standard error and opens a file of its own, which gets the number 2: nothing is written there.
 */
static int own_descriptor_2(long count) {
  allocate(count);
  HOLDS(close(2) == 0);
  HOLDS(open("own_file", O_CREAT | O_RDWR | O_TRUNC, 0600) == 2);
  return 0;
}

static const struct probe_case k_cases[] = {
    {"fork", plain_fork},
    {"_Fork", bare_fork},
    {"raw_fork", raw_fork},
    {"vfork", vforked},
    {"fork_then_thread", fork_then_thread},
    {"confined_fork", confined_fork},
    {"many_forks", many_forks},
    {"exec_chain", exec_chain},
    {"own_descriptor_2", own_descriptor_2},
};

PROBE_MAIN(k_cases)
