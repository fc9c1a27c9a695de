/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_HOOKS_H
#define ALLOCGATE_HOOKS_H

/*
 * Reads the allocation counters of the program this is compiled into: whole process or this thread, at any moment.
 *
 * Header only. It links nothing: the hooks library is found by dlsym if it was preloaded, and without it every
 * function says so by returning 0 (allocgate_hooks_loaded) or ALLOCGATE_NOT_LOADED and leaving zeroes. Nothing here
 * allocates. Every function may be called from any thread; a reading made while other threads allocate is exact for
 * events that ended before it began.
 *
 * From C, C++, and by its one symbol from any language:
 *     const allocgate_hooks_table *table = dlsym(RTLD_DEFAULT, "allocgate_hooks_v1");
 * Use the first `size` bytes of the table only: newer libraries append to it.
 */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_DEFAULT */
#endif
#include <allocgate/hook_record.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum allocgate_status { ALLOCGATE_OK = 0, ALLOCGATE_NOT_LOADED = 1, ALLOCGATE_FULL = 2 };

/* Whether call stacks are recorded, and of what. */
enum allocgate_stacks_mode {
  ALLOCGATE_STACKS_OFF = 0,
  ALLOCGATE_STACKS_OF_ALL = 1,    /* of everything but what the program itself leaves out by pause_stacks */
  ALLOCGATE_STACKS_OF_WINDOWS = 2 /* only between resume_stacks and pause_stacks */
};

/* Whether a thread's stacks are recorded. */
enum allocgate_thread_stacks {
  ALLOCGATE_THREAD_STACKS_AS_PROCESS = 0,
  ALLOCGATE_THREAD_STACKS_ON = 1, /* also while the process's are paused */
  ALLOCGATE_THREAD_STACKS_OFF = 2
};

/*
 * A reading: everything since the process began (or since fork, in a child). `allocations` counts requests that
 * succeeded, `allocated_bytes` their requested sizes; the last four are zero below ALLOCGATE_LEVEL_USABLE.
 */
typedef struct allocgate_counters {
  uint64_t allocations;
  uint64_t deallocations;
  uint64_t reallocations; /* how many of the allocations were a realloc of a live block */
  uint64_t failed_allocations;
  uint64_t allocated_bytes;
  uint64_t allocated_usable_bytes;
  uint64_t deallocated_bytes; /* usable sizes */
  int64_t live_bytes;         /* allocated_usable_bytes - deallocated_bytes */
  int64_t peak_live_bytes;    /* greatest live bytes; of a window: above its start */
  uint64_t size_classes[ALLOCGATE_SIZE_CLASS_SLOTS];
} allocgate_counters;

/* What the library offers, found by dlsym("allocgate_hooks_v1"). Every function may be called from any thread. */
typedef struct allocgate_hooks_table {
  uint32_t size;    /* of this struct as the library knows it, in bytes */
  uint32_t version; /* ALLOCGATE_RECORD_VERSION of the library */
  uint32_t level;   /* enum allocgate_level in force */
  uint32_t stacks;  /* enum allocgate_stacks_mode in force */
  void (*read_process)(allocgate_counters* out);
  void (*read_thread)(allocgate_counters* out); /* without a peak: that is the process's */
  void (*pause_thread)(void); /* nests; allocations and deallocations of this thread are not counted meanwhile */
  void (*resume_thread)(void);
  void (*reset_peak)(void); /* the process's peak becomes its live bytes now */
  /* Copies the window into the record for the runner. ALLOCGATE_FULL when there is no record or no room. */
  int (*publish_window)(const struct allocgate_window_entry* window);
  void (*raise_peak)(int64_t at_least); /* the process's peak becomes at least this: undoes reset_peak */
  /* Of the whole process, when call stacks are recorded (ALLOCGATE_STACKS); nests. Counting goes on meanwhile. */
  void (*pause_stacks)(void);
  void (*resume_stacks)(void);
  void (*set_thread_stacks)(uint32_t setting); /* of this thread: enum allocgate_thread_stacks */
} allocgate_hooks_table;

/* The loaded library's table, or NULL when the hooks were not preloaded or are of another version. Looked up once per
 * translation unit; the first call without the hooks leaves a dlerror() message, as any failed dlsym does. */
static inline const allocgate_hooks_table* allocgate_hooks(void) {
  static const allocgate_hooks_table* found = NULL;
  static int looked_up = 0;
  if (__atomic_load_n(&looked_up, __ATOMIC_ACQUIRE) == 0) {
    const allocgate_hooks_table* table = (const allocgate_hooks_table*)dlsym(RTLD_DEFAULT, "allocgate_hooks_v1");
    if (table != NULL && table->version == ALLOCGATE_RECORD_VERSION && table->size >= sizeof(allocgate_hooks_table)) {
      __atomic_store_n(&found, table, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&looked_up, 1, __ATOMIC_RELEASE);
  }
  return __atomic_load_n(&found, __ATOMIC_RELAXED);
}

/* 1 when the hooks count in this process, 0 when they were not preloaded. */
static inline int allocgate_hooks_loaded(void) {
  return allocgate_hooks() != NULL;
}

/* Everything that this process, or this thread, has counted. ALLOCGATE_NOT_LOADED leaves zeroes in `out`. */
static inline int allocgate_read_process(allocgate_counters* out) {
  const allocgate_hooks_table* table = allocgate_hooks();
  memset(out, 0, sizeof(*out));
  if (table == NULL) {
    return ALLOCGATE_NOT_LOADED;
  }
  table->read_process(out);
  return ALLOCGATE_OK;
}

static inline int allocgate_read_thread(allocgate_counters* out) {
  const allocgate_hooks_table* table = allocgate_hooks();
  memset(out, 0, sizeof(*out));
  if (table == NULL) {
    return ALLOCGATE_NOT_LOADED;
  }
  table->read_thread(out);
  return ALLOCGATE_OK;
}

/* `end` minus `start`, two readings of the same kind. The peak is taken over as it is in `end`, above `start`. */
static inline allocgate_counters allocgate_difference(const allocgate_counters* start, const allocgate_counters* end) {
  allocgate_counters difference;
  unsigned slot;
  difference.allocations = end->allocations - start->allocations;
  difference.deallocations = end->deallocations - start->deallocations;
  difference.reallocations = end->reallocations - start->reallocations;
  difference.failed_allocations = end->failed_allocations - start->failed_allocations;
  difference.allocated_bytes = end->allocated_bytes - start->allocated_bytes;
  difference.allocated_usable_bytes = end->allocated_usable_bytes - start->allocated_usable_bytes;
  difference.deallocated_bytes = end->deallocated_bytes - start->deallocated_bytes;
  difference.live_bytes = end->live_bytes - start->live_bytes;
  difference.peak_live_bytes = end->peak_live_bytes - start->live_bytes;
  for (slot = 0; slot < ALLOCGATE_SIZE_CLASS_SLOTS; ++slot) {
    difference.size_classes[slot] = end->size_classes[slot] - start->size_classes[slot];
  }
  return difference;
}

/* A stretch of the process's life. Windows may nest, and must then end in the opposite order: the peak is one a
 * process, and an inner window borrows it. */
typedef struct allocgate_window {
  allocgate_counters start;
  int64_t outer_peak;
} allocgate_window;

/* The reading is the last thing that begin does and the first that end does. */
static inline int allocgate_window_begin(allocgate_window* window) {
  const allocgate_hooks_table* table = allocgate_hooks();
  memset(window, 0, sizeof(*window));
  if (table == NULL) {
    return ALLOCGATE_NOT_LOADED;
  }
  table->read_process(&window->start);
  window->outer_peak = window->start.peak_live_bytes;
  table->reset_peak();
  table->read_process(&window->start);
  return ALLOCGATE_OK;
}

/* What all threads did since begin, with the greatest live bytes above its start in `peak_live_bytes`. */
static inline int allocgate_window_end(const allocgate_window* window, allocgate_counters* out) {
  const allocgate_hooks_table* table = allocgate_hooks();
  allocgate_counters end;
  memset(out, 0, sizeof(*out));
  if (table == NULL) {
    return ALLOCGATE_NOT_LOADED;
  }
  table->read_process(&end);
  *out = allocgate_difference(&window->start, &end);
  table->raise_peak(window->outer_peak);
  return ALLOCGATE_OK;
}

/* Not counted from pause to resume: what this thread allocates and what it frees. Nests. Nothing without the hooks. */
static inline void allocgate_pause(void) {
  const allocgate_hooks_table* table = allocgate_hooks();
  if (table != NULL) {
    table->pause_thread();
  }
}

static inline void allocgate_resume(void) {
  const allocgate_hooks_table* table = allocgate_hooks();
  if (table != NULL) {
    table->resume_thread();
  }
}

#ifdef __cplusplus
}
#endif

#endif /* ALLOCGATE_HOOKS_H */
