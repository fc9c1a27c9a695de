// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The wrapper of start_preload_before: forwards to the next definition.
#include "../hazard.h"

#include <dlfcn.h>

static void* (*g_next_malloc)(size_t);
static void (*g_next_free)(void*);

void* malloc(size_t size) {
  if (g_next_malloc == NULL) {
    *(void**)&g_next_malloc = dlsym(RTLD_NEXT, "malloc");
  }
  return g_next_malloc(size);
}

void free(void* pointer) {
  if (g_next_free == NULL) {
    *(void**)&g_next_free = dlsym(RTLD_NEXT, "free");
  }
  g_next_free(pointer);
}
