// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: abort
// elsewhere: everything is lost, or the end is named wrong
// proof: N blocks, none freed
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=1000 deallocations=0 signal=6
// expect ends: signalled
#include "../hazard.h"

int main(int argc, char** argv) {
  allocate_and_leak(argument(argc, argv));
  abort();
}
