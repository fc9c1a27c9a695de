// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: an executable that defines malloc and its kin itself
// elsewhere: 0 is reported
// proof: the executable comes before every library: no call reaches the hooks
// runs: glibc
// argument: 1000
// expect blind: its own malloc
#include "../hazard.h"

enum { k_arena_bytes = 1 << 20, k_header = 16 };

static _Alignas(16) char g_arena[k_arena_bytes];
static size_t g_used;

static void* take(size_t size) {
  size_t rounded = (size + 15) / 16 * 16 + k_header;
  size_t place = __atomic_fetch_add(&g_used, rounded, __ATOMIC_RELAXED);
  if (rounded < size || place + rounded > k_arena_bytes) {
    errno = ENOMEM;
    return NULL;
  }
  memcpy(g_arena + place, &size, sizeof size);
  return g_arena + place + k_header;
}

void* malloc(size_t size) {
  return take(size);
}

void free(void* pointer) {
  (void)pointer;
}

void* calloc(size_t count, size_t size) {
  return take(count * size);
}

void* realloc(void* pointer, size_t size) {
  char* moved = (char*)take(size);
  size_t old_size = 0;
  if (pointer != NULL && moved != NULL) {
    memcpy(&old_size, (char*)pointer - k_header, sizeof old_size);
    memcpy(moved, pointer, old_size < size ? old_size : size);
  }
  return moved;
}

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  say("done\n");
  return 0;
}
