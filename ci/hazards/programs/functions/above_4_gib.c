// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: requests above 4 GiB
// elsewhere: sizes are kept in 32 bits
// proof: malloc of 5 GiB, calloc of 3 x 2 GiB, realloc from 24 bytes to 5 GiB: never touched, so no memory is needed
// runs: glibc musl
// needs: 8 GiB
// expect: allocations=4 deallocations=4 reallocations=1 allocated_bytes=17179869208 exit=0
#include "../hazard.h"

int main(void) {
  const size_t k_gib = (size_t)1 << 30;
  void* plain = keep(malloc(5 * k_gib));
  require(plain != NULL, "5 GiB by malloc");
  free(plain);
  void* cleared = keep(calloc(3, 2 * k_gib));
  require(cleared != NULL, "6 GiB by calloc");
  free(cleared);
  void* grown = keep(realloc(keep(malloc(24)), 5 * k_gib));
  require(grown != NULL, "5 GiB by realloc");
  free(grown);
  return 0;
}
