// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: free(NULL)
// elsewhere: it is counted as a deallocation
// proof: N calls that release nothing
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=0 deallocations=0 exit=0
#include "../hazard.h"

int main(int argc, char** argv) {
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    free(keep(NULL));
  }
  return 0;
}
