// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: signal handlers at any instruction of the hooks, above the C library's own allocator
// elsewhere: events of the handler or of the interrupted code are lost
// proof: a request of SIZE_MAX is refused before the allocator takes a lock, so that a handler may make it; each of N
//   shots of a timer makes one, and main 100 x N and as many pairs between
// runs: glibc musl
// argument: 40000
// expect difference(40000): failed_allocations=4040000 allocations=4000000 deallocations=4000000 exit=0
#include "../hazard_timer.h"

static volatile unsigned long g_handled;

static void handler(int unused) {
  int saved = errno;
  (void)unused;
  require(keep(malloc(opaque(SIZE_MAX))) == NULL, "an impossible request fails");
  errno = saved;
  g_handled += 1;
}

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  timer_t timer = timer_for(handler);
  for (unsigned long shot = 0; shot < times; ++shot) {
    shoot_soon(timer);
    for (int i = 0; i < 100; ++i) {
      require(keep(malloc(opaque(SIZE_MAX))) == NULL, "an impossible request fails");
      free(keep(malloc(16)));
    }
    while (g_handled == shot) {
    }
  }
  say_number("handled", (long)g_handled);
  return 0;
}
