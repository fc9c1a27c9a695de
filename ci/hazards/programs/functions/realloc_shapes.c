// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: realloc in every shape
// elsewhere: a realloc is one event in one tool and three in the next; realloc(NULL) is taken for a reallocation
// proof: realloc(NULL, 8), grow to 80, shrink to 10, same 10, grow to 1 MiB, shrink to 100: 6 allocations, of which 5
//   are reallocations, each with one deallocation; the last block is freed: 6 deallocations
// runs: glibc mimalloc musl
// argument: 100
// expect: allocations=600 deallocations=600 reallocations=500 allocated_bytes=104878400 live_bytes=0 exit=0
#include "../hazard.h"

static void* reshape(void* block, size_t size) {
  char* moved = (char*)keep(realloc(block, size));
  require(moved != NULL, "realloc");
  require(block == NULL || moved[0] == 'x', "realloc keeps the contents");
  moved[0] = 'x';
  return moved;
}

int main(int argc, char** argv) {
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    static const size_t k_sizes[] = {8, 80, 10, 10, 1 << 20, 100};
    void* block = NULL;
    for (unsigned i = 0; i < sizeof k_sizes / sizeof k_sizes[0]; ++i) {
      block = reshape(block, k_sizes[i]);
    }
    free(block);
  }
  return 0;
}
