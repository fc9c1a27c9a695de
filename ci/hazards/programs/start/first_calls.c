// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: the process's first calls are the rare functions, made before any constructor of the hooks can have run
// elsewhere: dlsym inside the hooks calls calloc, which calls the hooks: endless recursion, or blocks of a bootstrap
//   arena that free or realloc then hands to the real allocator
// proof: calloc, realloc(NULL), realloc, posix_memalign, aligned_alloc, memalign: 6 allocations, 5 blocks, all freed
// runs: glibc mimalloc musl by-hand
// expect: allocations=6 deallocations=6 reallocations=1 allocated_bytes=736 exit=0
#include "../hazard.h"

#include <malloc.h>

static void call_each(void) {
  void* posix = NULL;
  free(NULL);
  void* cleared = keep(calloc(4, 8));
  void* grown = keep(realloc(keep(realloc(NULL, 64)), 128));
  require(posix_memalign(&posix, 64, 128) == 0, "posix_memalign");
  void* aligned = keep(aligned_alloc(64, 128));
  void* old = keep(memalign(64, 256));
  free(cleared);
  free(grown);
  free(keep(posix));
  free(aligned);
  free(old);
}

#ifdef __GLIBC__
__attribute__((section(".preinit_array"), used)) static void (*const g_call_each)(void) = call_each;
#else
__attribute__((constructor(101))) static void call_each_early(void) {
  call_each();
}
#endif

int main(void) {
  return 0;
}
