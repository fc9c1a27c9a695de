// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: signal handlers at any instruction of the hooks, above the C library's own allocator
// elsewhere: events of the handler or of the interrupted code are lost
// proof: a request of SIZE_MAX is refused before the allocator takes a lock, so that a handler may make it; the handler
//   makes N of them, main 20 x N and as many pairs between
// runs: glibc musl
// argument: 100000
// expect difference(100000): failed_allocations=2100000 allocations=2000000 deallocations=2000000 exit=0
#include "../hazard_threads.h"

#include <sched.h>
#include <signal.h>

static unsigned long g_handled;
static pthread_t g_main;

static void handler(int unused) {
  int saved = errno;
  (void)unused;
  require(keep(malloc(opaque(SIZE_MAX))) == NULL, "an impossible request fails");
  errno = saved;
  __atomic_fetch_add(&g_handled, 1, __ATOMIC_RELAXED);
}

static void* send_signals(void* times) {
  for (unsigned long sent = 0; sent < *(unsigned long*)times; ++sent) {
    pthread_kill(g_main, SIGUSR1);
    while (__atomic_load_n(&g_handled, __ATOMIC_RELAXED) == sent) {
      sched_yield();
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  pthread_t sender;
  g_main = pthread_self();
  sigaction(SIGUSR1, &action, NULL);
  start_thread(&sender, send_signals, &times);
  for (unsigned long i = 0; i < 20 * times; ++i) {
    require(keep(malloc(opaque(SIZE_MAX))) == NULL, "an impossible request fails");
    free(keep(malloc(16)));
  }
  pthread_join(sender, NULL);
  say_number("handled", (long)g_handled);
  return 0;
}
