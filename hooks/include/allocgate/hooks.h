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

/* What the library offers, found by dlsym("allocgate_hooks_v1"). */
typedef struct allocgate_hooks_table {
  uint32_t size;    /* of this struct as the library knows it, in bytes */
  uint32_t version; /* ALLOCGATE_RECORD_VERSION of the library */
  uint32_t level;   /* enum allocgate_level in force */
  uint32_t reserved;
  void (*read_process)(allocgate_counters* out);
  void (*read_thread)(allocgate_counters* out);
  void (*pause_thread)(void); /* nests; allocations and deallocations of this thread are not counted meanwhile */
  void (*resume_thread)(void);
  void (*reset_peak)(void); /* the process's peak becomes its live bytes now */
  /* Copies the window into the record for the runner. ALLOCGATE_FULL when there is no record or no room. */
  int (*publish_window)(const struct allocgate_window_entry* window);
} allocgate_hooks_table;

/* The loaded library's table, or NULL when the hooks were not preloaded or are of another version. */
static inline const allocgate_hooks_table* allocgate_hooks(void) {
  const allocgate_hooks_table* table = (const allocgate_hooks_table*)dlsym(RTLD_DEFAULT, "allocgate_hooks_v1");
  if (table == NULL || table->version != ALLOCGATE_RECORD_VERSION || table->size < sizeof(allocgate_hooks_table)) {
    return NULL;
  }
  return table;
}

#ifdef __cplusplus
}
#endif

#endif /* ALLOCGATE_HOOKS_H */
