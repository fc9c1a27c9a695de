// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: death by SIGKILL
// elsewhere: nothing was written yet: everything is lost
// proof: N blocks, none freed
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=1000 deallocations=0 signal=9
// expect ends: signalled
#include "../hazard.h"

#include <signal.h>

int main(int argc, char** argv) {
  allocate_and_leak(argument(argc, argv));
  raise(SIGKILL);
  return 98;
}
