// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "children.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "threads.h"

extern char** environ;

/* The words that make this program an image of `times` calls. On the stack: nothing is allocated between a fork and an
 * exec. */
struct image {
  char seed[24];
  char times[24];
  char* words[5];
};

static void describe_image(struct image* image, struct random* numbers) {
  snprintf(image->seed, sizeof image->seed, "%llu", (unsigned long long)next_random(numbers));
  snprintf(image->times, sizeof image->times, "%u", (unsigned)(next_random(numbers) % 200));
  char* const words[] = {"soak", "image", image->seed, image->times, NULL};
  for (unsigned i = 0; i < 5; ++i) {
    image->words[i] = words[i];
  }
}

static void wait_for(pid_t child, int signal_number) {
  int status;
  if (child <= 0) {
    fail("a child could not be started");
  }
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      fail("a child was lost");
    }
  }
  const int is_right = signal_number != 0 ? WIFSIGNALED(status) && WTERMSIG(status) == signal_number
                                          : WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!is_right) {
    fail("a child ended otherwise than it should");
  }
}

static void begin_child(void) {
  soak_below_restore(0);
  forget_tally();
  soak_add(soak_below_file(), soak_images, 1);
  open_signals();
}

/* Not by exit or quick_exit: glibc's lock of the handlers may have been another thread's at the fork. */
static _Noreturn void end_child(struct random* numbers) {
  block_signals();
  give_tally();
  if (one_in(numbers, 2)) {
    _Exit(0);
  }
  _exit(0);
}

/* fork with the signals blocked: its handler must not allocate while glibc holds every lock of its allocator. */
static pid_t fork_between_signals(void) {
  block_signals();
  const pid_t child = fork();
  if (child == 0) {
    begin_child();
    return 0;
  }
  open_signals();
  soak_add(soak_below_file(), soak_forks, 1);
  return child;
}

static void have_an_allocating_child(struct random* numbers) {
  const pid_t child = fork_between_signals();
  if (child == 0) {
    make_calls(numbers, 1 + (unsigned)(next_random(numbers) % 100));
    end_child(numbers);
  }
  kill(child, SIGUSR1);
  wait_for(child, 0);
}

static void have_a_child_with_threads(struct random* numbers) {
  pthread_rwlock_wrlock(&g_loader_lock);
  const pid_t child = fork_between_signals();
  if (child == 0) {
    g_loader_lock = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    make_calls(numbers, 10);
    have_a_thread_to_wait_for(numbers);
    make_calls(numbers, 10);
    have_a_thread_to_wait_for(numbers);
    end_child(numbers);
  }
  pthread_rwlock_unlock(&g_loader_lock);
  kill(child, SIGUSR2);
  wait_for(child, 0);
}

static void have_a_grandchild(struct random* numbers) {
  const pid_t child = fork_between_signals();
  if (child == 0) {
    make_calls(numbers, 10);
    const pid_t grandchild = fork_between_signals();
    if (grandchild == 0) {
      make_calls(numbers, 10);
      end_child(numbers);
    }
    wait_for(grandchild, 0);
    end_child(numbers);
  }
  wait_for(child, 0);
}

static void have_a_killed_child(struct random* numbers) {
  static const int k_signals[] = {SIGKILL, SIGTERM, SIGHUP};
  const int signal_number = k_signals[next_random(numbers) % 3];
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
    fail("no pipe could be had");
  }
  const pid_t child = fork_between_signals();
  if (child == 0) {
    make_calls(numbers, 1 + (unsigned)(next_random(numbers) % 100));
    block_signals();
    give_tally();
    ssize_t written = write(pipe_ends[1], "!", 1);
    (void)written;
    for (;;) {
      pause();
    }
  }
  kill(child, SIGUSR1);
  char ready;
  while (read(pipe_ends[0], &ready, 1) != 1) {
  }
  kill(child, signal_number);
  wait_for(child, signal_number);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  soak_add(soak_below_file(), soak_killed, 1);
}

static void have_a_child_that_becomes_an_image(struct random* numbers) {
  struct image image;
  describe_image(&image, numbers);
  const pid_t child = fork_between_signals();
  if (child == 0) {
    make_calls(numbers, 10);
    block_signals();
    give_tally();
    execv("/proc/self/exe", image.words);
    _exit(1);
  }
  soak_add(soak_below_file(), soak_execs, 1);
  wait_for(child, 0);
}

/* Children behind the C library's back, which must not allocate: its locks are as they were. */
static void have_a_bare_child(struct random* numbers) {
  struct image image;
  describe_image(&image, numbers);
  const int becomes_image = one_in(numbers, 3);
  const int is_raw = one_in(numbers, 2);
  block_signals();
  const pid_t child = is_raw ? (pid_t)syscall(SYS_fork) : _Fork();
  if (child == 0) {
    if (becomes_image) {
      execve("/proc/self/exe", image.words, environ);
    }
    _exit(becomes_image);
  }
  open_signals();
  soak_add(soak_below_file(), soak_forks, 1);
  soak_add(soak_below_file(), soak_execs, becomes_image != 0);
  wait_for(child, 0);
}

static void have_a_spawned_child(struct random* numbers) {
  struct image image;
  describe_image(&image, numbers);
  pid_t child = 0;
  if (one_in(numbers, 2)) {
    if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, image.words, environ) != 0) {
      child = 0;
    }
  } else {
    block_signals();
    child = vfork();
    if (child == 0) {
      execve("/proc/self/exe", image.words, environ);
      _exit(1);
    }
    open_signals();
  }
  soak_add(soak_below_file(), soak_execs, 1);
  wait_for(child, 0);
}

void have_a_child(struct random* numbers) {
  static void (*const k_kinds[])(struct random*) = {
      have_an_allocating_child,           have_a_child_with_threads, have_a_grandchild,    have_a_killed_child,
      have_a_child_that_becomes_an_image, have_a_bare_child,         have_a_spawned_child,
  };
  k_kinds[next_random(numbers) % (sizeof k_kinds / sizeof k_kinds[0])](numbers);
}

int be_an_image(uint64_t seed, unsigned times) {
  struct random numbers = random_of(seed, times);
  soak_add(soak_below_file(), soak_images, 1);
  take_signals();
  make_calls(&numbers, times);
  if (one_in(&numbers, 3)) {
    have_a_thread_to_wait_for(&numbers);
    have_a_plugin(&numbers);
  }
  free_waiting_blocks();
  give_tally();
  if (one_in(&numbers, 3)) {
    quick_exit(0);
  }
  return 0;
}
