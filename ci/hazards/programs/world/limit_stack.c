// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a signal handler that allocates on an alternative stack of the least size, as the thread's first call
// elsewhere: the hooks' slow path runs over the end of the stack
// proof: N pairs in the handler, in a new thread that made no call before
// runs: glibc mimalloc musl
// argument: 1000
// expect difference(1000): allocations=1000 deallocations=1000 exit=0
#include "../hazard_threads.h"

#include <signal.h>
#include <sys/mman.h>

enum { k_page = 4 << 10, k_stack_bytes = 16 << 10 };

static unsigned long g_times;

static void handler(int unused) {
  (void)unused;
  allocate_and_free(g_times);
}

static void* body(void* unused) {
  char* memory = (char*)mmap(NULL, k_page + k_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack_t stack = {.ss_sp = memory + k_page, .ss_size = k_stack_bytes};
  require(memory != (char*)MAP_FAILED && mprotect(memory, k_page, PROT_NONE) == 0, "a stack above a guard page");
  require(sigaltstack(&stack, NULL) == 0, "sigaltstack");
  raise(SIGUSR1);
  return unused;
}

int main(int argc, char** argv) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  g_times = argument(argc, argv);
  sigaction(SIGUSR1, &action, NULL);
  run_threads(1, body, NULL);
  return 0;
}
