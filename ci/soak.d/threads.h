/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_SOAK_THREADS_H
#define ALLOCGATE_SOAK_THREADS_H

/* Threads, the signals that they get, and what they do beside allocating. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <pthread.h>

#include "calls.h"

/* Ends the program with a sentence: the soak has failed. */
__attribute__((noreturn)) void fail(const char* sentence);

/* The handler of SIGUSR1 and SIGUSR2, for this process and its forked children. */
void take_signals(void);

/* Closes or opens this thread to them, as when a tally is given. */
void block_signals(void);
void open_signals(void);

/* While a thread holds it for itself, no other is in the loader or starts a thread: glibc's child of a fork would find
 * their locks taken. */
extern pthread_rwlock_t g_loader_lock;

/* As many threads at once as there ever are beside `others`: what the hooks keep for each is there from then on. */
void have_most_threads(struct random* numbers, unsigned others);

/* Starts short threads that make calls; they are waited for, or one is left alone. Nothing, while there are many. */
void have_threads(struct random* numbers);
void have_a_thread_to_wait_for(struct random* numbers);

/* Waits until this is the only thread of the process, as the kernel sees it. */
void wait_for_threads_to_end(void);

/* Opens, uses and closes the plug-in. */
void have_a_plugin(struct random* numbers);

/* Windows and readings of the hooks' API around calls of this thread, which must agree with its tally. */
void have_a_window(struct random* numbers);

/* A short stretch of nothing but pairs under a timer's signals, which come at instructions of the hooks. */
void have_a_hail_of_signals(struct random* numbers);

/* Calls that are not counted, because the thread says so. */
void have_a_pause(struct random* numbers);

#endif /* ALLOCGATE_SOAK_THREADS_H */
