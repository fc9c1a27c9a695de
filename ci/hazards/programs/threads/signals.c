// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: signal handlers that allocate, at any instruction of the hooks
// elsewhere: a counter that is loaded, added to and stored loses what the handler counted between
// proof: under an allocator that may be called from handlers (the library beside this), main makes exactly 50 x N pairs
//   while another thread signals it until exactly N handlers have run, each with one pair
// runs: glibc
// allocator: {library}
// argument: 100000
// expect difference(100000): allocations=5100000 deallocations=5100000 exit=0
#include "../hazard_threads.h"

#include <sched.h>
#include <signal.h>

static unsigned long g_handled;
static pthread_t g_main;

static void handler(int unused) {
  (void)unused;
  free(keep(malloc(16)));
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
  for (unsigned long i = 0; i < 50 * times; ++i) {
    free(keep(malloc(16)));
  }
  pthread_join(sender, NULL);
  say_number("handled", (long)g_handled);
  return 0;
}
