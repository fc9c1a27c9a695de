// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: quick_exit, whose handlers allocate
// elsewhere: hooks that write in a destructor lose everything
// proof: N pairs in main, 5 in the handler
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=1005 deallocations=1005 exit=6
// expect ends: exited
#include "../hazard.h"

static void at_end(void) {
  allocate_and_free(5);
}

int main(int argc, char** argv) {
  at_quick_exit(at_end);
  allocate_and_free(argument(argc, argv));
  quick_exit(6);
}
