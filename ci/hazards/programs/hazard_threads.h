/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_HAZARD_THREADS_H
#define ALLOCGATE_HAZARD_THREADS_H

/*
 * Threads for the hazard programs. pthread_create itself allocates in glibc (the table of thread-local storage), which
 * is why these programs state differences between two runs that start the same threads.
 */

#include "hazard.h"

#include <pthread.h>

static inline void start_thread(pthread_t* thread, void* (*body)(void*), void* argument_of_body) {
  require(pthread_create(thread, NULL, body, argument_of_body) == 0, "pthread_create");
}

/* Runs `body` on `count` threads (at most 64) at once and waits for all. */
static inline void run_threads(unsigned count, void* (*body)(void*), void* argument_of_body) {
  pthread_t threads[64];
  for (unsigned i = 0; i < count; ++i) {
    start_thread(&threads[i], body, argument_of_body);
  }
  for (unsigned i = 0; i < count; ++i) {
    pthread_join(threads[i], NULL);
  }
}

#endif /* ALLOCGATE_HAZARD_THREADS_H */
