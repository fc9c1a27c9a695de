// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The allocator of threads_signals: safe in signal handlers, because a request is one atomic add. Requests of at most
// 16 bytes go round in a ring that nobody reads; the others (the thread library's) are never given back.
#include "../hazard.h"

enum { k_ring_bytes = 1 << 16, k_arena_bytes = 8 << 20, k_header = 16, k_small = 16 };

static _Alignas(16) char g_ring[k_ring_bytes];
static _Alignas(4096) char g_arena[k_arena_bytes];
static size_t g_ring_used;
static size_t g_arena_used;

size_t malloc_usable_size(void* pointer);
void* memalign(size_t alignment, size_t size);

static int is_small(const char* pointer) {
  return pointer >= g_ring && pointer < g_ring + k_ring_bytes;
}

static void* take(size_t size, size_t alignment) {
  if (size <= k_small && alignment <= k_small) {
    return g_ring + __atomic_fetch_add(&g_ring_used, k_small, __ATOMIC_RELAXED) % k_ring_bytes;
  }
  size_t rounded = (size + k_header + alignment + 15) / 16 * 16;
  size_t place = __atomic_fetch_add(&g_arena_used, rounded, __ATOMIC_RELAXED);
  if (rounded < size || place + rounded > k_arena_bytes) {
    errno = ENOMEM;
    return NULL;
  }
  char* block = (char*)(((uintptr_t)g_arena + place + k_header + alignment - 1) / alignment * alignment);
  memcpy(block - k_header, &size, sizeof size);
  return block;
}

size_t malloc_usable_size(void* pointer) {
  size_t size = k_small;
  if (pointer == NULL) {
    return 0;
  }
  if (!is_small((char*)pointer)) {
    memcpy(&size, (char*)pointer - k_header, sizeof size);
  }
  return size;
}

void* malloc(size_t size) {
  return take(size, 16);
}

void free(void* pointer) {
  (void)pointer;
}

void* calloc(size_t count, size_t size) {
  return take(count * size > k_small ? count * size : k_small + 1, 16);
}

void* realloc(void* pointer, size_t size) {
  void* moved = take(size, 16);
  size_t old_size = malloc_usable_size(pointer);
  if (moved != NULL && old_size != 0) {
    memcpy(moved, pointer, old_size < size ? old_size : size);
  }
  return moved;
}

void* memalign(size_t alignment, size_t size) {
  return take(size, alignment);
}

void* aligned_alloc(size_t alignment, size_t size) {
  return take(size, alignment);
}

int posix_memalign(void** out, size_t alignment, size_t size) {
  *out = take(size, alignment);
  return *out == NULL ? ENOMEM : 0;
}
