/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
/*
 * An allocator that a signal handler may call at any instruction: one atomic add over a static arena that wraps around.
 * Nobody may write to its blocks. calloc and posix_memalign go through malloc, as some libcs' do.
 */
#include <stddef.h>
#include <stdint.h>

static char g_arena[1 << 20];
static size_t g_used;

void* malloc(size_t size) {
  const size_t offset = __atomic_fetch_add(&g_used, (size + 31) & ~(size_t)15, __ATOMIC_RELAXED);
  return size > sizeof(g_arena) / 2 ? NULL : g_arena + (offset % (sizeof(g_arena) / 2) & ~(size_t)15);
}

void free(void* pointer) {
  (void)pointer;
}

void* calloc(size_t count, size_t size) {
  return malloc(count * size);
}

void* realloc(void* pointer, size_t size) {
  (void)pointer;
  return malloc(size);
}

int posix_memalign(void** result, size_t alignment, size_t size) {
  (void)alignment;
  *result = malloc(size);
  return *result == NULL ? 12 : 0;
}

void* aligned_alloc(size_t alignment, size_t size) {
  (void)alignment;
  return malloc(size);
}

size_t malloc_usable_size(void* pointer) {
  (void)pointer;
  return 64;
}
