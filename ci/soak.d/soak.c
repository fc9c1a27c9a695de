// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Usage: soak SECONDS SEED [--forget-one]      (ci/soak starts it, under allocgate)
//        soak image SEED CALLS                 (as its own child)
//
// Eight threads that allocate, fork, spawn, load and unload, start threads, open windows and pause at random, under
// signals whose handler allocates too. Each keeps its own tally; what the C library allocates beside it is counted by
// the library below the hooks. The main thread sends the signals and watches the memory of the hooks.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "children.h"
#include "hooks_memory.h"
#include "threads.h"

/* A record holds 2048 images. A child is at most two, and the longer the soak, the rarer it has one. */
enum { k_workers = 8, k_most_children = 950, k_looks = 20 };

static uint64_t g_seed;
static double g_seconds;
static double g_begin;
static uint64_t g_children;
static volatile int g_is_over;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Spread over the whole time. */
static int may_have_a_child(void) {
  const double part = (now() - g_begin) / g_seconds;
  if ((double)__atomic_load_n(&g_children, __ATOMIC_RELAXED) >= part * k_most_children) {
    return 0;
  }
  return __atomic_add_fetch(&g_children, 1, __ATOMIC_RELAXED) <= k_most_children;
}

static void* work(void* ordinal) {
  struct random numbers = random_of(g_seed, 1 + (uint64_t)(uintptr_t)ordinal);
  open_signals();
  while (!__atomic_load_n(&g_is_over, __ATOMIC_RELAXED)) {
    switch (next_random(&numbers) % 16) {
      case 0:
        have_threads(&numbers);
        break;
      case 1:
        have_a_plugin(&numbers);
        break;
      case 2:
        have_a_window(&numbers);
        break;
      case 3:
        have_a_pause(&numbers);
        break;
      case 4:
        if (may_have_a_child()) {
          have_a_child(&numbers);
        }
        break;
      case 5:
        if (one_in(&numbers, 8)) {
          have_a_hail_of_signals(&numbers);
        }
        break;
      default:
        make_calls(&numbers, (unsigned)(next_random(&numbers) % 200));
    }
  }
  block_signals();
  give_tally();
  return NULL;
}

static void send_a_signal(struct random* numbers, const pthread_t* workers) {
  const struct timespec pause = {0, (long)(next_random(numbers) % 500000)};
  nanosleep(&pause, NULL);
  if (one_in(numbers, 3)) {
    kill(getpid(), SIGUSR2);  // to whichever thread takes it, short ones too
  } else {
    pthread_kill(workers[next_random(numbers) % k_workers], SIGUSR1);
  }
}

static void keep(enum soak_number at_a_tenth, enum soak_number most_after, unsigned look, uint64_t bytes) {
  struct soak_entry* numbers = soak_below_file()->numbers;
  if (look == k_looks / 10) {
    numbers[at_a_tenth].value = bytes;
  }
  if (look > k_looks / 10 && bytes > numbers[most_after].value) {
    numbers[most_after].value = bytes;
  }
}

/* At every part of the time: prints it, and keeps what it was at a tenth of the time and the most that came after. */
static void look_at_memory(unsigned look) {
  const struct soak_entry* numbers = soak_below_file()->numbers;
  const struct hooks_memory memory = look_at_hooks_memory();
  keep(soak_mapped_at_a_tenth, soak_mapped_at_most_after, look, memory.mapped);
  keep(soak_used_at_a_tenth, soak_used_at_most_after, look, memory.used);
  printf("%3u %%  %8llu bytes of the hooks; %llu signals, %llu threads, %llu images, %llu plug-ins\n",
         100 * look / k_looks, (unsigned long long)memory.used, (unsigned long long)numbers[soak_signals].value,
         (unsigned long long)numbers[soak_threads].value, (unsigned long long)numbers[soak_images].value,
         (unsigned long long)numbers[soak_plugins].value);
  fflush(stdout);
}

static void name_numbers(struct soak_file* file) {
  static const char* const k_names[] = {
#define SOAK_NUMBER(name) #name,
      SOAK_NUMBERS(SOAK_NUMBER)
#undef SOAK_NUMBER
  };
  for (unsigned i = 0; i < soak_number_count; ++i) {
    strcpy(file->numbers[i].name, k_names[i]);
  }
}

static void run(void) {
  pthread_t workers[k_workers];
  struct random numbers = random_of(g_seed, 0);
  block_signals();
  take_signals();
  have_most_threads(&numbers, k_workers);
  g_begin = now();
  for (uintptr_t i = 0; i < k_workers; ++i) {
    if (pthread_create(&workers[i], NULL, work, (void*)i) != 0) {
      fail("a worker could not be started");
    }
  }
  for (unsigned look = 1; look <= k_looks; ++look) {
    while (now() - g_begin < g_seconds * look / k_looks) {
      send_a_signal(&numbers, workers);
    }
    look_at_memory(look);
  }
  __atomic_store_n(&g_is_over, 1, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < k_workers; ++i) {
    pthread_join(workers[i], NULL);
  }
  wait_for_threads_to_end();
}

int main(int argc, char** argv) {
  if (argc == 4 && strcmp(argv[1], "image") == 0) {
    return be_an_image(strtoull(argv[2], NULL, 10), (unsigned)strtoul(argv[3], NULL, 10));
  }
  if (argc < 3) {
    fprintf(stderr, "soak: started by ci/soak\n");
    return 2;
  }
  g_seconds = strtod(argv[1], NULL);
  g_seed = strtoull(argv[2], NULL, 10);
  if (argc > 3 && strcmp(argv[3], "--forget-one") == 0) {
    forget_one_allocation();
  }
  name_numbers(soak_below_file());
  soak_add(soak_below_file(), soak_images, 1);
  run();
  free_waiting_blocks();
  give_tally();
  return 0;
}
