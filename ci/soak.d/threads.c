// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "threads.h"

#include <allocgate/hooks.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Of this size glibc keeps the stacks of all threads that ended, and starts the next ones on them. What it unmaps comes
 * back at other addresses, each of which is a new place to the hooks. */
enum { k_most_short_threads = 24, k_stack_size = 256 * 1024 };

static unsigned g_short_threads;  // alive, or about to be
static pthread_barrier_t g_all_are_there;

pthread_rwlock_t g_loader_lock = PTHREAD_RWLOCK_INITIALIZER;

void fail(const char* sentence) {
  static const char k_who[] = "soak: ";
  ssize_t written = write(STDERR_FILENO, k_who, sizeof k_who - 1);
  written += write(STDERR_FILENO, sentence, strlen(sentence));
  written += write(STDERR_FILENO, "\n", 1);
  (void)written;
  kill(getpid(), SIGKILL);
  abort();
}

/* Allocates wherever the C library allows it; elsewhere it does what is always allowed, it reads. */
static void handle(int signal_number) {
  (void)signal_number;
  struct soak_file* file = soak_below_file();
  soak_add(file, soak_signals, 1);
  allocgate_counters counters;
  if (allocgate_read_thread(&counters) != ALLOCGATE_OK) {
    fail("a signal handler found no hooks");
  }
  if (soak_below_is_inside()) {
    soak_add(file, soak_signals_inside_allocator, 1);
    return;
  }
  soak_add(file, soak_signals_that_allocated, 1);
  make_pair_in_handler();
}

void take_signals(void) {
  // Looked up here, not by the first signal.
  if (!allocgate_hooks_loaded()) {
    fail("the hooks are not loaded");
  }
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, NULL);
  sigaction(SIGUSR2, &action, NULL);
}

static void change_signals(int how) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  sigaddset(&signals, SIGUSR2);
  pthread_sigmask(how, &signals, NULL);
}

void block_signals(void) {
  change_signals(SIG_BLOCK);
}

void open_signals(void) {
  change_signals(SIG_UNBLOCK);
}

/* The seed comes as the argument: a block for it would be one more to count. */
static void* be_a_short_thread(void* seed) {
  struct random numbers = random_of((uint64_t)(uintptr_t)seed, 0);
  open_signals();
  make_calls(&numbers, 1 + (unsigned)(next_random(&numbers) % 60));
  if (one_in(&numbers, 4)) {
    have_a_plugin(&numbers);
  }
  block_signals();
  give_tally();
  __atomic_sub_fetch(&g_short_threads, 1, __ATOMIC_RELEASE);
  return NULL;
}

static pthread_t start_thread(void* (*body)(void*), void* argument, int is_detached) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, k_stack_size);
  pthread_attr_setdetachstate(&attributes, is_detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
  pthread_rwlock_rdlock(&g_loader_lock);
  const int error = pthread_create(&thread, &attributes, body, argument);
  pthread_rwlock_unlock(&g_loader_lock);
  pthread_attr_destroy(&attributes);
  if (error != 0) {
    fail("a thread could not be started");
  }
  soak_add(soak_below_file(), soak_threads, 1);
  return thread;
}

static void* be_there(void* seed) {
  struct random numbers = random_of((uint64_t)(uintptr_t)seed, 0);
  make_calls(&numbers, 10);
  pthread_barrier_wait(&g_all_are_there);
  give_tally();
  return NULL;
}

void have_most_threads(struct random* numbers, unsigned others) {
  pthread_t threads[64];
  // As many again may be ending.
  const unsigned count = 2 * k_most_short_threads + others;
  pthread_barrier_init(&g_all_are_there, NULL, count);
  for (unsigned i = 0; i < count; ++i) {
    threads[i] = start_thread(be_there, (void*)(uintptr_t)next_random(numbers), 0);
  }
  for (unsigned i = 0; i < count; ++i) {
    pthread_join(threads[i], NULL);
  }
  pthread_barrier_destroy(&g_all_are_there);
}

static int may_start_threads(unsigned count) {
  if (__atomic_add_fetch(&g_short_threads, count, __ATOMIC_ACQUIRE) <= k_most_short_threads) {
    return 1;
  }
  __atomic_sub_fetch(&g_short_threads, count, __ATOMIC_RELEASE);
  return 0;
}

static pthread_t start_short_thread(struct random* numbers, int is_detached) {
  return start_thread(be_a_short_thread, (void*)(uintptr_t)next_random(numbers), is_detached);
}

void have_a_thread_to_wait_for(struct random* numbers) {
  __atomic_add_fetch(&g_short_threads, 1, __ATOMIC_RELAXED);
  pthread_join(start_short_thread(numbers, 0), NULL);
}

void have_threads(struct random* numbers) {
  const int is_detached = one_in(numbers, 2);
  const unsigned count = is_detached ? 1 : 1 + (unsigned)(next_random(numbers) % 3);
  if (!may_start_threads(count)) {
    return;
  }
  pthread_t threads[3];
  for (unsigned i = 0; i < count; ++i) {
    threads[i] = start_short_thread(numbers, is_detached);
  }
  make_calls(numbers, 20);
  for (unsigned i = 0; i < count && !is_detached; ++i) {
    pthread_join(threads[i], NULL);
  }
}

void wait_for_threads_to_end(void) {
  struct stat tasks;
  const struct timespec pause = {0, 1000000};
  while (stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink > 3) {
    nanosleep(&pause, NULL);
  }
}

void have_a_plugin(struct random* numbers) {
  pthread_rwlock_rdlock(&g_loader_lock);
  void* plugin = dlopen(getenv("SOAK_PLUGIN"), one_in(numbers, 2) ? RTLD_NOW : RTLD_LAZY);
  int (*work)(int) = NULL;
  if (plugin != NULL) {
    *(void**)&work = dlsym(plugin, "soak_plugin_work");
  }
  if (work == NULL || work(42) != 42 || dlclose(plugin) != 0) {
    fail("the plug-in could not be opened, used and closed");
  }
  pthread_rwlock_unlock(&g_loader_lock);
  soak_add(soak_below_file(), soak_plugins, 1);
}

/* Both at one moment of this thread: a handler in between would be in one of them only. */
static void read_both(allocgate_counters* counters, struct tally* tally) {
  block_signals();
  allocgate_read_thread(counters);
  *tally = tally_of_this_thread();
  open_signals();
}

void have_a_window(struct random* numbers) {
  allocgate_window window;
  allocgate_counters of_process, begin, end;
  struct tally tally_begin, tally_end;
  // A reading of the process asks the loader what is loaded.
  pthread_rwlock_rdlock(&g_loader_lock);
  allocgate_window_begin(&window);
  pthread_rwlock_unlock(&g_loader_lock);
  read_both(&begin, &tally_begin);
  make_calls(numbers, 1 + (unsigned)(next_random(numbers) % 100));
  read_both(&end, &tally_end);
  pthread_rwlock_rdlock(&g_loader_lock);
  allocgate_window_end(&window, &of_process);
  pthread_rwlock_unlock(&g_loader_lock);
  const uint64_t allocations = tally_end.allocations - tally_begin.allocations;
  if (end.allocations - begin.allocations != allocations ||
      end.deallocations - begin.deallocations != tally_end.deallocations - tally_begin.deallocations ||
      end.reallocations - begin.reallocations != tally_end.reallocations - tally_begin.reallocations ||
      end.failed_allocations - begin.failed_allocations !=
          tally_end.failed_allocations - tally_begin.failed_allocations ||
      end.allocated_bytes - begin.allocated_bytes != tally_end.allocated_bytes - tally_begin.allocated_bytes) {
    fail("a thread's readings differ from its tally");
  }
  if (of_process.allocations < allocations) {
    fail("a window of the process has less than one of its threads did");
  }
  soak_add(soak_below_file(), soak_windows, 1);
}

void have_a_hail_of_signals(struct random* numbers) {
  timer_t timer;
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGUSR1;
  event._sigev_un._tid = gettid();
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) {
    fail("a timer could not be had");
  }
  // One at a time: where malloc is slow (a probe in it), a timer that goes on by itself would leave no time for the
  // rest.
  for (int i = 0; i < 50; ++i) {
    const struct itimerspec once = {{0, 0}, {0, 1000 + (long)(next_random(numbers) % 15000)}};
    timer_settime(timer, 0, &once, NULL);
    make_pairs(100);
  }
  timer_delete(timer);
}

void have_a_pause(struct random* numbers) {
  block_signals();
  const int were_own = soak_below_take(1);
  allocgate_pause();
  void* volatile block = malloc(next_random(numbers) % 1000);
  free(block);
  allocgate_resume();
  soak_below_restore(were_own);
  open_signals();
  soak_add(soak_below_file(), soak_pauses, 1);
}
