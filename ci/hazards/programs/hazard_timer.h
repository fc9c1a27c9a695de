/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_HAZARD_TIMER_H
#define ALLOCGATE_HAZARD_TIMER_H

/*
 * Signals at random instructions of a program of one thread. They come from a timer's interrupt: those that another
 * thread sends arrive for the most part where this one is scheduled, and were seen to miss what they should hit.
 */

#include "hazard.h"

#include <signal.h>
#include <string.h>
#include <time.h>

/* SIGUSR1 calls `handler`; the timer sends it. */
static inline timer_t timer_for(void (*handler)(int)) {
  /* Member by member: some of these names are macros, which C++ does not take in an initialiser. */
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  timer_t timer;
  require(sigaction(SIGUSR1, &action, NULL) == 0, "sigaction");
  require(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0, "timer_create");
  return timer;
}

/* One signal, between half a microsecond and eleven of them from now. */
static inline void shoot_soon(timer_t timer) {
  static uint64_t number = 1;
  number = number * 6364136223846793005u + 1442695040888963407u;
  struct itimerspec soon;
  memset(&soon, 0, sizeof soon);
  soon.it_value.tv_nsec = 500 + (long)((number >> 33) % 10000);
  require(timer_settime(timer, 0, &soon, NULL) == 0, "timer_settime");
}

#endif /* ALLOCGATE_HAZARD_TIMER_H */
