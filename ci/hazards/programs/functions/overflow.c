// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: sizes that overflow, and the errno of each refusal
// elsewhere: the product is taken without a check: the wrong size is counted, or the wrong error is set
// proof: per round malloc, calloc, realloc, reallocarray and posix_memalign refuse for want of memory (5); a bad
//   alignment is no such thing (0); the block that realloc could not grow is kept and freed (1 pair)
// runs: glibc musl
// argument: 100
// expect: allocations=100 deallocations=100 failed_allocations=500 allocated_bytes=2400 exit=0
#include "../hazard.h"

static int g_shown;

static void refuse(const char* what, const void* block) {
  if (!g_shown) {
    say_number(what, block == NULL ? errno : -1);
  }
  errno = 0;
}

int main(int argc, char** argv) {
  errno = 0;
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    void* kept = keep(malloc(24));
    void* posix = NULL;
    refuse("malloc", keep(malloc(opaque(SIZE_MAX))));
    refuse("calloc", keep(calloc(opaque(SIZE_MAX / 2), 4)));
    refuse("realloc", keep(realloc(keep(kept), opaque(SIZE_MAX - 64))));
    refuse("reallocarray", keep(reallocarray(keep(kept), opaque(SIZE_MAX / 2), 4)));
    say_number("posix_memalign", posix_memalign(&posix, 64, opaque(SIZE_MAX - 4096)));
    say_number("posix_memalign of a bad alignment", posix_memalign(&posix, 24, 8));
    refuse("posix_memalign's errno", NULL);
    free(kept);
    g_shown = 1;
  }
  return 0;
}
