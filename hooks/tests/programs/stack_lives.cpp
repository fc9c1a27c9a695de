// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Allocates and frees from known stacks; stack_lives_test.cpp says what each case must leave in the record.
#include <allocgate/hooks.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"
#include "stack_probe.hpp"

namespace {

constexpr long k_most_blocks = 4096;
void* g_blocks[k_most_blocks];

}  // namespace

/* Each is one stack. */
ALLOCGATE_FRAME void allocate(long count, size_t size) {
  for (long i = 0; i < count; ++i) {
    g_blocks[i] = malloc(size);
    keep(g_blocks[i]);
  }
}
ALLOCGATE_FRAME void allocate_kept(long count) {
  allocate(count, 990);
  keep();
}
ALLOCGATE_FRAME void allocate_freed(long count) {
  allocate(count, 990);
  keep();
}
ALLOCGATE_FRAME void* allocate_one(size_t size) {
  void* block = malloc(size);
  keep(block);
  return block;
}
ALLOCGATE_FRAME void* grow(void* block, size_t size) {
  block = realloc(block, size);
  keep(block);
  return block;
}

namespace {

void free_blocks(long count) {
  for (long i = 0; i < count; ++i) {
    free(g_blocks[i]);
  }
}

}  // namespace

/* Of allocate_freed: twice `count` blocks, the peak is `count`; of allocate_kept: all stay. */
ALLOCGATE_FRAME int case_peak(long count) {
  allocate_freed(count);
  free_blocks(count);
  allocate_freed(count / 2);
  free_blocks(count / 2);
  allocate_kept(count);
  return 0;
}

/* `count` blocks that are freed at once, and as many pairs of which the first is freed first. */
ALLOCGATE_FRAME int case_temporary(long count) {
  for (long i = 0; i < count; ++i) {
    free(allocate_one(24));
  }
  for (long i = 0; i < count; ++i) {
    void* const first = allocate_one(3000);
    void* const second = allocate_one(3000);
    free(first);
    free(second);
  }
  return 0;
}

/* grow: `count` blocks of 100 bytes, each made larger, refused once, and freed; every tenth by realloc. */
ALLOCGATE_FRAME int case_realloc(long count) {
  for (long i = 0; i < count; ++i) {
    void* block = grow(nullptr, 100);
    block = grow(block, 5000);
    HOLDS(grow(block, SIZE_MAX / 2) == nullptr);
    if (i % 10 == 0) {
      keep(realloc(block, 0));
    } else {
      free(block);
    }
  }
  return 0;
}

namespace {

void* allocate_in_thread(void* count) {
  allocate_freed(*static_cast<long*>(count));
  return nullptr;
}

void* free_in_thread(void* count) {
  free_blocks(*static_cast<long*>(count));
  return nullptr;
}

bool run_thread(void* (*work)(void*), long count) {
  pthread_t thread;
  return pthread_create(&thread, nullptr, work, &count) == 0 && pthread_join(thread, nullptr) == 0;
}

constexpr int k_exchanging = 4;
constexpr long k_exchanged = 256;
void* g_exchanged[k_exchanged];

void* exchange_blocks(void* number) {
  auto random = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(number));
  for (long i = 0; i < 20000; ++i) {
    random = random * 1664525 + 1013904223;
    void* block = __atomic_exchange_n(&g_exchanged[(random >> 16) % k_exchanged], nullptr, __ATOMIC_ACQ_REL);
    free(block);
    block = allocate_one(16 + (random >> 20) % 500);
    free(__atomic_exchange_n(&g_exchanged[(random >> 8) % k_exchanged], block, __ATOMIC_ACQ_REL));
  }
  return nullptr;
}

}  // namespace

/* All blocks are freed by others than allocated them. */
ALLOCGATE_FRAME int case_other_thread(long count) {
  HOLDS(run_thread(allocate_in_thread, count));
  HOLDS(run_thread(free_in_thread, count / 2));
  return 0;
}

/* Threads that free what others allocate, all the time. */
ALLOCGATE_FRAME int case_exchange(long) {
  pthread_t threads[k_exchanging];
  for (int i = 0; i < k_exchanging; ++i) {
    HOLDS(pthread_create(&threads[i], nullptr, exchange_blocks, reinterpret_cast<void*>(static_cast<intptr_t>(i))) ==
          0);
  }
  for (const pthread_t thread : threads) {
    HOLDS(pthread_join(thread, nullptr) == 0);
  }
  return 0;
}

/* The child frees half of its copies of the parent's blocks, and allocates where they were. */
ALLOCGATE_FRAME int case_fork(long count) {
  allocate_freed(count);
  const pid_t child = fork();
  if (child == 0) {
    free_blocks(count / 2);
    allocate_kept(count / 2);
    allocate_freed(10);
    free_blocks(10);
    _exit(0);
  }
  int status = 0;
  HOLDS(child > 0 && waitpid(child, &status, 0) == child && status == 0);
  free_blocks(count);
  return 0;
}

/* In the window `count` blocks from before it are freed, and `count` allocated, of which half are freed after it and
 * their addresses used again, and half stay for the second window, which frees them. */
ALLOCGATE_FRAME int case_windows(long count) {
  const allocgate_hooks_table* hooks = allocgate_hooks();
  HOLDS(hooks != nullptr);
  allocate_kept(count);
  hooks->resume_stacks();
  free_blocks(count);
  allocate_freed(count);
  hooks->pause_stacks();
  free_blocks(count / 2);
  for (long i = 0; i < count / 2; ++i) {
    g_blocks[i] = allocate_one(990);
  }
  hooks->resume_stacks();
  free_blocks(count);
  hooks->pause_stacks();
  return 0;
}

/* Freed while the thread does not count, and used again. */
ALLOCGATE_FRAME int case_uncounted(long count) {
  const allocgate_hooks_table* hooks = allocgate_hooks();
  HOLDS(hooks != nullptr);
  allocate_freed(count);
  hooks->pause_thread();
  free_blocks(count);
  allocate(count, 990);
  hooks->resume_thread();
  free_blocks(count);
  return 0;
}

int main(int argc, char** argv) {
  static const probe_case cases[] = {
      {"peak", case_peak},         {"temporary", case_temporary},
      {"realloc", case_realloc},   {"other_thread", case_other_thread},
      {"exchange", case_exchange}, {"fork", case_fork},
      {"windows", case_windows},   {"uncounted", case_uncounted},
  };
  return run_case(cases, sizeof(cases) / sizeof(cases[0]), argc, argv);
}
