// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: realloc(pointer, 0), which frees in one C library and allocates in another
// elsewhere: one of the two is assumed
// proof: glibc frees and gives NULL: N allocations and deallocations by malloc and realloc; mimalloc and musl give a
//   block, so that each round has 2 of each, the freed one among them
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=1000 deallocations=1000 reallocations=0 allocated_bytes=24000 failed_allocations=0 exit=0
// expect[mimalloc]: allocations=2000 deallocations=2000 reallocations=1000 allocated_bytes=24000 exit=0
// expect[musl]: allocations=2000 deallocations=2000 reallocations=1000 allocated_bytes=24000 exit=0
#include "../hazard.h"

int main(int argc, char** argv) {
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    free(keep(realloc(keep(malloc(24)), opaque(0))));
  }
  return 0;
}
