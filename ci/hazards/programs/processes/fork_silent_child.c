// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: forked children that allocate nothing, and one that frees what its parent allocated
// elsewhere: a child that made no call appears with its parent's counts; live bytes of the other go below zero
// proof: the parent makes 10 blocks, the second child frees them in its own memory, the parent frees them in its own
// runs: glibc mimalloc musl
// expect: allocations=10 deallocations=20 live_allocations=-10 exit=0
// expect first: allocations=10 deallocations=10
#include "../hazard_processes.h"

int main(void) {
  void* blocks[10];
  for (int i = 0; i < 10; ++i) {
    blocks[i] = keep(malloc(24));
  }
  pid_t silent = fork();
  if (silent == 0) {
    _exit(0);
  }
  wait_for_exit(silent, 0);
  pid_t freeing = fork();
  if (freeing == 0) {
    for (int i = 0; i < 10; ++i) {
      free(blocks[i]);
    }
    _exit(0);
  }
  wait_for_exit(freeing, 0);
  for (int i = 0; i < 10; ++i) {
    free(blocks[i]);
  }
  return 0;
}
