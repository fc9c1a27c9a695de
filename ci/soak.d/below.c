// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Lies between the hooks and the C library in the soak: passes every call on and counts those that are not the
// program's own, by shared atomics and nothing that the hooks have. It knows too when a thread is inside the C
// library's allocator, so that a signal handler may allocate at every other instruction, those of the hooks above all.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tally.h"

#define EXPORT __attribute__((visibility("default")))
#define THREAD_LOCAL static _Thread_local __attribute__((tls_model("initial-exec")))

static struct {
  void* (*malloc)(size_t);
  void* (*calloc)(size_t, size_t);
  void* (*realloc)(void*, size_t);
  void (*free)(void*);
  int (*posix_memalign)(void**, size_t, size_t);
  void* (*aligned_alloc)(size_t, size_t);
} g_next;

static struct soak_file* g_file;
THREAD_LOCAL volatile int t_is_own;
THREAD_LOCAL volatile int t_inside;

static _Noreturn void give_up(const char* sentence) {
  ssize_t written = write(STDERR_FILENO, sentence, strlen(sentence));
  (void)written;
  abort();
}

// The first call comes before any constructor of ours, and on one thread.
static void start(void) {
  *(void**)&g_next.malloc = dlsym(RTLD_NEXT, "malloc");
  *(void**)&g_next.calloc = dlsym(RTLD_NEXT, "calloc");
  *(void**)&g_next.realloc = dlsym(RTLD_NEXT, "realloc");
  *(void**)&g_next.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
  *(void**)&g_next.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
  *(void**)&g_next.free = dlsym(RTLD_NEXT, "free");
  const char* path = getenv(SOAK_ENV_FILE);
  const int descriptor = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (descriptor < 0) {
    give_up("soak: " SOAK_ENV_FILE " names no file that can be opened\n");
  }
  void* mapped = mmap(NULL, sizeof(struct soak_file), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (mapped == MAP_FAILED) {
    give_up("soak: cannot map the file of tallies\n");
  }
  __atomic_store_n(&g_file, (struct soak_file*)mapped, __ATOMIC_RELEASE);
}

static struct soak_file* file(void) {
  if (__builtin_expect(g_file == NULL, 0)) {
    start();
  }
  return g_file;
}

static void* allocated(void* pointer, size_t size) {
  if (t_is_own) {
    return pointer;
  }
  if (pointer == NULL) {
    soak_add(g_file, soak_foreign_failed_allocations, 1);
  } else {
    soak_add(g_file, soak_foreign_allocations, 1);
    soak_add(g_file, soak_foreign_allocated_bytes, size);
  }
  return pointer;
}

static void released(const void* pointer) {
  if (!t_is_own && pointer != NULL) {
    soak_add(g_file, soak_foreign_deallocations, 1);
  }
}

// A handler that comes between the mark and the call finds the thread inside, and only misses a chance.
#define INSIDE(call) \
  file();            \
  t_inside = 1;      \
  call;              \
  t_inside = 0

EXPORT void* malloc(size_t size) {
  INSIDE(void* pointer = g_next.malloc(size));
  return allocated(pointer, size);
}

EXPORT void* calloc(size_t count, size_t size) {
  INSIDE(void* pointer = g_next.calloc(count, size));
  return allocated(pointer, count * size);
}

EXPORT void* realloc(void* old, size_t size) {
  const int had_block = old != NULL;
  INSIDE(void* pointer = g_next.realloc(old, size));
  if (!had_block || (pointer == NULL && size != 0)) {
    return allocated(pointer, size);
  }
  if (!t_is_own) {
    soak_add(g_file, soak_foreign_deallocations, 1);
    soak_add(g_file, soak_foreign_reallocations, pointer != NULL);
  }
  return pointer != NULL ? allocated(pointer, size) : NULL;
}

EXPORT void free(void* pointer) {
  released(pointer);
  INSIDE(g_next.free(pointer));
}

EXPORT int posix_memalign(void** result, size_t alignment, size_t size) {
  INSIDE(const int error = g_next.posix_memalign(result, alignment, size));
  if (error != EINVAL) {
    allocated(error == 0 ? *result : NULL, size);
  }
  return error;
}

EXPORT void* aligned_alloc(size_t alignment, size_t size) {
  INSIDE(void* pointer = g_next.aligned_alloc(alignment, size));
  return allocated(pointer, size);
}

EXPORT struct soak_file* soak_below_file(void) {
  return file();
}

EXPORT int soak_below_take(int are_own) {
  const int were_own = t_is_own;
  t_is_own = are_own;
  return were_own;
}

EXPORT int soak_below_is_inside(void) {
  return t_inside;
}
