// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a library that the program is linked with allocates in a constructor and a destructor of its own
// elsewhere: its constructor may run before that of the hooks, its destructor after theirs: events are lost
// proof: 3 blocks in the library's constructor, 2 in main, 4 in the library's destructor
// runs: glibc mimalloc musl by-hand
// links: library
// expect: allocations=9 deallocations=0 allocated_bytes=216 exit=0
#include "../hazard.h"

extern int hazard_library_constructor_ran(void);

int main(void) {
  require(hazard_library_constructor_ran(), "the library's constructor ran");
  allocate_and_leak(2);
  return 0;
}
