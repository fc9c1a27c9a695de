// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a program that allocates nothing
// elsewhere: "16" or more is read, because the hooks, the loader or the C library are counted as the program
// proof: there is no call
// runs: glibc mimalloc musl by-hand
// expect: allocations=0 deallocations=0 allocated_bytes=0 reallocations=0 failed_allocations=0 exit=0
#include "../hazard.h"

int main(void) {
  return 0;
}
