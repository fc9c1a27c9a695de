/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
/* Threads: the tests compare a run of `count` events a thread with a run of none, because starting threads allocates.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

#include "probe.h"

enum { k_threads = 8, k_short_threads = 10000, k_size = 100 };

static pthread_barrier_t g_everyone;
static long g_count;
static pthread_key_t g_key;

static void allocate_and_release(long count) {
  for (; count > 0; --count) {
    free(used(malloc(k_size)));
  }
}

static void* work(void* unused) {
  pthread_barrier_wait(&g_everyone);
  allocate_and_release(g_count);
  pthread_barrier_wait(&g_everyone);
  return unused;
}

/* Eight threads at once: 8 x count allocations and deallocations. */
static int at_once(long count) {
  pthread_t threads[k_threads];
  int i;
  g_count = count;
  HOLDS(pthread_barrier_init(&g_everyone, NULL, k_threads) == 0);
  for (i = 0; i < k_threads; ++i) {
    HOLDS(pthread_create(&threads[i], NULL, work, NULL) == 0);
  }
  for (i = 0; i < k_threads; ++i) {
    HOLDS(pthread_join(threads[i], NULL) == 0);
  }
  return 0;
}

static void* short_work(void* unused) {
  allocate_and_release(g_count);
  return unused;
}

/* 10,000 threads one after another, each with `count` allocations and deallocations, in a few blocks of the record. */
static int one_after_another(long count) {
  pthread_attr_t attributes;
  int i;
  g_count = count;
  HOLDS(pthread_attr_init(&attributes) == 0);
  HOLDS(pthread_attr_setstacksize(&attributes, 16384) == 0);
  for (i = 0; i < k_short_threads; ++i) {
    pthread_t thread;
    HOLDS(pthread_create(&thread, &attributes, short_work, NULL) == 0);
    HOLDS(pthread_join(thread, NULL) == 0);
  }
  return 0;
}

static void late(void* round) {
  allocate_and_release(g_count);
  if ((size_t)round < 3) {
    pthread_setspecific(g_key, (void*)((size_t)round + 1));
  }
}

static void* late_work(void* unused) {
  pthread_setspecific(g_key, (void*)(size_t)1);
  return unused;
}

/* 100 threads whose key destructors allocate in three rounds: 100 x 3 x count allocations and deallocations. */
static int late_destructors(long count) {
  int i;
  g_count = count;
  HOLDS(pthread_key_create(&g_key, late) == 0);
  for (i = 0; i < 100; ++i) {
    pthread_t thread;
    HOLDS(pthread_create(&thread, NULL, late_work, NULL) == 0);
    HOLDS(pthread_join(thread, NULL) == 0);
  }
  return 0;
}

static void* g_handed_over[1000];

static void* produce(void* unused) {
  int i;
  for (i = 0; i < 1000; ++i) {
    g_handed_over[i] = used(malloc(k_size));
  }
  return unused;
}

/* One thread allocates 1000 blocks, then another releases them, `count` times: the peak is that of 1000 blocks. */
static int handed_over(long count) {
  for (; count > 0; --count) {
    pthread_t thread;
    int i;
    HOLDS(pthread_create(&thread, NULL, produce, NULL) == 0);
    HOLDS(pthread_join(thread, NULL) == 0);
    for (i = 0; i < 1000; ++i) {
      free(g_handed_over[i]);
    }
  }
  return 0;
}

static const struct probe_case k_cases[] = {
    {"at_once", at_once},
    {"one_after_another", one_after_another},
    {"late_destructors", late_destructors},
    {"handed_over", handed_over},
};

PROBE_MAIN(k_cases)
