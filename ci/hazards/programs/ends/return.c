// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: main returns a code of its own
// elsewhere: the code is lost
// proof: N pairs
// runs: glibc mimalloc musl by-hand
// argument: 1000
// expect: allocations=1000 deallocations=1000 exit=7
// expect ends: exited
#include "../hazard.h"

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  return 7;
}
