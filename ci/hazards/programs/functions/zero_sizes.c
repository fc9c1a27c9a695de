// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: requests for nothing
// elsewhere: they are left out, or a NULL is counted
// proof: malloc, calloc (2 ways), realloc(NULL), reallocarray(NULL), posix_memalign, aligned_alloc: 7 blocks of 0 bytes
// runs: glibc mimalloc musl
// argument: 100
// expect: allocations=700 deallocations=700 allocated_bytes=0 failed_allocations=0 exit=0
#include "../hazard.h"

static void release(void* block) {
  require(block != NULL, "a request for nothing gives a block");
  free(block);
}

int main(int argc, char** argv) {
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    void* posix = NULL;
    release(keep(malloc(0)));
    release(keep(calloc(0, 8)));
    release(keep(calloc(8, 0)));
    release(keep(realloc(NULL, 0)));
    release(keep(reallocarray(NULL, 0, 8)));
    require(posix_memalign(&posix, 16, 0) == 0, "posix_memalign");
    release(keep(posix));
    release(keep(aligned_alloc(16, 0)));
  }
  return 0;
}
