// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: fork handlers of the program that allocate in the parent and in the child
// elsewhere: the program's handler runs before that of the hooks, and the child's events are the parent's
// proof: prepare 3 and parent 5 in the parent, child handler 7 and body 11 in the child; musl keeps the
//   registration in a block (1)
// runs: glibc mimalloc musl
// expect: allocations=26 deallocations=26 exit=0
// expect[musl]: allocations=27 deallocations=26 exit=0
// expect children(1): allocations=18 deallocations=18 exit=0
#include "../hazard_processes.h"
#include "../hazard_threads.h"

static void prepare(void) {
  allocate_and_free(3);
}

static void in_parent(void) {
  allocate_and_free(5);
}

static void in_child(void) {
  allocate_and_free(7);
}

__attribute__((constructor(101))) static void register_early(void) {
  pthread_atfork(prepare, in_parent, in_child);
}

int main(void) {
  pid_t child = fork();
  if (child == 0) {
    allocate_and_free(11);
    _exit(0);
  }
  wait_for_exit(child, 0);
  return 0;
}
