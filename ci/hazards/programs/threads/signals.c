// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: signal handlers that allocate, at any instruction of the hooks
// elsewhere: a counter that is loaded, added to and stored loses what the handler counted between
// proof: under an allocator that may be called from handlers (the library beside this), main makes 200 x N pairs under
//   N shots of a timer, each of which it waits for and whose handler makes one pair
// runs: glibc
// allocator: {library}
// argument: 40000
// expect difference(40000): allocations=8040000 deallocations=8040000 exit=0
#include "../hazard_timer.h"

static volatile unsigned long g_handled;

static void handler(int unused) {
  (void)unused;
  free(keep(malloc(16)));
  g_handled += 1;
}

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  timer_t timer = timer_for(handler);
  for (unsigned long shot = 0; shot < times; ++shot) {
    shoot_soon(timer);
    for (int i = 0; i < 200; ++i) {
      free(keep(malloc(16)));
    }
    while (g_handled == shot) {
    }
  }
  say_number("handled", (long)g_handled);
  return 0;
}
