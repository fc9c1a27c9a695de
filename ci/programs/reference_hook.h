/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_REFERENCE_HOOK_H
#define ALLOCGATE_REFERENCE_HOOK_H

/*
 * What both reference hooks need: the next malloc and free, found before main. They stand beside the real hooks in the
 * table of ci/overhead and are never installed. They serve malloc_pairs alone: no realloc, no fork, no recursion.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>

static void* (*g_next_malloc)(size_t);
static void (*g_next_free)(void*);

static void find_next(void) {
  /* POSIX lets dlsym's result be a function; ISO C has no cast for that, so the bytes are copied. */
  *(void**)&g_next_malloc = dlsym(RTLD_NEXT, "malloc");
  *(void**)&g_next_free = dlsym(RTLD_NEXT, "free");
}

__attribute__((constructor)) static void find_next_before_main(void) {
  find_next();
}

/* Constructors of other libraries may allocate before ours ran. */
static inline void require_next(void) {
  if (__builtin_expect(g_next_malloc == NULL, 0)) {
    find_next();
  }
}

#endif /* ALLOCGATE_REFERENCE_HOOK_H */
