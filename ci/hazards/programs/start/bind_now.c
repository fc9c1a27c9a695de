// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: every symbol bound at start-up (LD_BIND_NOW, and linked with -z now)
// elsewhere: hooks that resolve lazily inside the first call find a loader in another state
// proof: N pairs in main
// runs: glibc mimalloc musl
// links: -Wl,-z,now
// environment: LD_BIND_NOW=1
// argument: 1000
// expect: allocations=1000 deallocations=1000 allocated_bytes=24000 exit=0
#include "../hazard.h"

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  return 0;
}
