// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: _exit, which runs no destructor and flushes nothing
// elsewhere: hooks that write at exit lose everything
// proof: N pairs
// runs: glibc mimalloc musl by-hand
// argument: 1000
// expect: allocations=1000 deallocations=1000 exit=5
// expect ends: exited
#include "../hazard.h"

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  _exit(5);
}
