// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: standard input and output, which allocate their buffers inside the C library
// elsewhere: calls from within the C library are missed, since they are bound there
// proof: fopen is one block; the first write takes a buffer (1); fclose frees both
// runs: glibc mimalloc
// argument: 100
// expect difference(100): allocations=200 deallocations=200 exit=0
#include "../hazard.h"

#include <stdio.h>

int main(int argc, char** argv) {
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    FILE* file = fopen("written", "w");
    require(file != NULL, "fopen");
    fprintf(file, "%lu left\n", left);
    fclose(file);
  }
  return 0;
}
