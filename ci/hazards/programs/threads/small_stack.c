// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a thread whose stack is 16 KiB, in which the thread's first call of the hooks is made
// elsewhere: the hooks' slow path needs more stack than that: the program crashes
// proof: N pairs in each of 4 such threads
// runs: glibc mimalloc musl
// argument: 1000
// expect difference(1000): allocations=4000 deallocations=4000 exit=0
#include "../hazard_threads.h"

#include <sys/mman.h>

enum { k_stack_bytes = 16 << 10, k_page = 4 << 10, k_threads = 4 };

static void* body(void* times) {
  allocate_and_free(*(unsigned long*)times);
  return NULL;
}

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  for (int i = 0; i < k_threads; ++i) {
    char* stack = (char*)mmap(NULL, k_page + k_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    require(stack != (char*)MAP_FAILED && mprotect(stack, k_page, PROT_NONE) == 0, "a stack above a guard page");
    pthread_attr_init(&attributes);
    require(pthread_attr_setstack(&attributes, stack + k_page, k_stack_bytes) == 0, "pthread_attr_setstack");
    require(pthread_create(&thread, &attributes, body, &times) == 0, "pthread_create");
    pthread_join(thread, NULL);
  }
  say("done\n");
  return 0;
}
