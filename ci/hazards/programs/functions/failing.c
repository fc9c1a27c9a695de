// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: every function fails under a memory limit
// elsewhere: failures are counted as allocations of NULL; a failed realloc is counted as a deallocation
// proof: per round 6 requests of 1 GiB fail; the block that realloc could not grow stays (1 pair)
// runs: glibc musl
// argument: 100
// expect: failed_allocations=600 allocations=100 deallocations=100 exit=0
#include "../hazard.h"

#include <malloc.h>
#include <sys/resource.h>

static void refuse(const void* block) {
  require(block == NULL, "the request fails");
  require(errno == ENOMEM, "the request leaves ENOMEM");
  errno = 0;
}

int main(int argc, char** argv) {
  struct rlimit limit = {512 << 20, 512 << 20};
  const size_t k_size = opaque(1 << 30);
  require(setrlimit(RLIMIT_AS, &limit) == 0, "setrlimit");
  errno = 0;
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    void* posix = NULL;
    void* kept = keep(malloc(24));
    refuse(keep(malloc(k_size)));
    refuse(keep(calloc(4, k_size / 4)));
    refuse(keep(realloc(keep(kept), k_size)));
    refuse(keep(aligned_alloc(64, k_size)));
    refuse(keep(memalign(64, k_size)));
    require(posix_memalign(&posix, 64, k_size) == ENOMEM, "posix_memalign fails");
    free(kept);
  }
  return 0;
}
