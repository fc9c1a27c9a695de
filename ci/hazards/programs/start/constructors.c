// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: allocation before main (preinit, constructors with and without priority) and after it (atexit, destructor)
// elsewhere: hooks that start in their own constructor miss what comes before it, those that stop in one what is after
// proof: each place asks for one block of another power of two, so the sum of bytes names a missing one
// runs: glibc mimalloc musl by-hand
// expect: allocations=6 deallocations=0 allocated_bytes=63 exit=0
// expect[musl]: allocations=5 deallocations=0 allocated_bytes=62 exit=0
#include "../hazard.h"

static void at_preinit(void) {
  keep(malloc(1));
}

/* musl's loader runs no preinit functions. */
__attribute__((section(".preinit_array"), used)) static void (*const g_at_preinit)(void) = at_preinit;

__attribute__((constructor(101))) static void early_constructor(void) {
  keep(malloc(2));
}

__attribute__((constructor)) static void constructor(void) {
  keep(malloc(4));
}

__attribute__((destructor)) static void destructor(void) {
  keep(malloc(32));
}

static void at_exit(void) {
  keep(malloc(16));
}

int main(void) {
  keep(malloc(8));
  atexit(at_exit);
  return 0;
}
