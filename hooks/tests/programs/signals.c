/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
/*
 * Signals at random instructions: a timer's handler makes the same calls as the program it interrupts, over an
 * allocator that allows it. Writes three numbers, of allocations, deallocations and signals; the record must hold the
 * first two exactly. `count` is the number of rounds.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "probe.h"

static unsigned long g_allocations;
static unsigned long g_deallocations;
static unsigned long g_signals;

static void add(unsigned long* counter, unsigned long value) {
  __atomic_fetch_add(counter, value, __ATOMIC_RELAXED);
}

/* malloc, calloc, realloc of both kinds, posix_memalign and free: 5 allocations, 5 deallocations (one of each by
 * realloc). */
static void one_round(void) {
  void* block = used(malloc(40));
  void* cleared = used(calloc(4, 10));
  void* grown = used(realloc(NULL, 40));
  void* aligned = NULL;
  block = used(realloc(block, 80));
  if (posix_memalign(&aligned, 64, 40) == 0) {
    free(used(aligned));
  }
  free(block);
  free(cleared);
  free(grown);
  add(&g_allocations, 5);
  add(&g_deallocations, 5);
}

static void on_timer(int signal_number) {
  (void)signal_number;
  one_round();
  add(&g_signals, 1);
}

static void write_number(unsigned long number, char end) {
  char text[24];
  size_t length = sizeof(text);
  text[--length] = end;
  do {
    text[--length] = (char)('0' + number % 10);
    number /= 10;
  } while (number != 0);
  if (write(1, text + length, sizeof(text) - length) < 0) {
    _exit(1);
  }
}

static int at_random(long count) {
  struct itimerval every = {{0, 100}, {0, 100}};
  struct itimerval never = {{0, 0}, {0, 0}};
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = on_timer;
  HOLDS(sigaction(SIGALRM, &action, NULL) == 0);
  HOLDS(setitimer(ITIMER_REAL, &every, NULL) == 0);
  /* Rounds, and not less than 1000 signals, whatever the machine's timer can do. */
  for (; count > 0 || __atomic_load_n(&g_signals, __ATOMIC_RELAXED) < 1000; --count) {
    one_round();
  }
  HOLDS(setitimer(ITIMER_REAL, &never, NULL) == 0);
  write_number(g_allocations, ' ');
  write_number(g_deallocations, ' ');
  write_number(g_signals, '\n');
  return 0;
}

static const struct probe_case k_cases[] = {{"at_random", at_random}};

PROBE_MAIN(k_cases)
