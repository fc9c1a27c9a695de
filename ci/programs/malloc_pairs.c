/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */

/*
 * malloc_pairs THREADS PAIRS: each thread makes PAIRS allocations of 64 bytes and frees each at once. Prints the
 * nanoseconds a pair took, the mean over the threads. What ci/overhead measures; nothing else allocates in the loop.
 */

#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { k_most_threads = 64, k_block_bytes = 64 };

static long g_pairs;
static pthread_barrier_t g_start;

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void* make_pairs(void* seconds) {
  pthread_barrier_wait(&g_start);
  const double start = seconds_now();
  for (long i = 0; i < g_pairs; ++i) {
    /* volatile: the compiler may not remove a pair whose block nobody looks at. */
    void* volatile block = malloc(k_block_bytes);
    free(block);
  }
  *(double*)seconds = seconds_now() - start;
  return NULL;
}

int main(int argc, char** argv) {
  const long threads = argc == 3 ? strtol(argv[1], NULL, 10) : 0;
  g_pairs = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
  if (threads < 1 || threads > k_most_threads || g_pairs < 1) {
    fprintf(stderr, "usage: malloc_pairs THREADS PAIRS, with 1 to %d threads\n", (int)k_most_threads);
    return 64;
  }
  pthread_t others[k_most_threads];
  double seconds[k_most_threads] = {0};
  pthread_barrier_init(&g_start, NULL, (unsigned)threads);
  for (long i = 1; i < threads; ++i) {
    if (pthread_create(&others[i], NULL, make_pairs, &seconds[i]) != 0) {
      fprintf(stderr, "malloc_pairs: thread %ld could not be started\n", i);
      return 1;
    }
  }
  make_pairs(&seconds[0]);
  double sum = seconds[0];
  for (long i = 1; i < threads; ++i) {
    pthread_join(others[i], NULL);
    sum += seconds[i];
  }
  printf("%.3f\n", sum * 1e9 / (double)threads / (double)g_pairs);
  return 0;
}
