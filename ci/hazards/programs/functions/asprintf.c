// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: asprintf and strdup, which hand out blocks made inside the C library
// elsewhere: their blocks are freed but were never seen being made: live numbers go below zero
// proof: strdup and strndup are 1 pair each; asprintf's number of steps is the library's own: valgrind's is right
// runs: glibc
// needs: valgrind
// argument: 100
// expect valgrind(100): allocations deallocations allocated_bytes
// expect difference(100): live_allocations=0 live_bytes=0 exit=0
#include "../hazard.h"

#include <stdio.h>

int main(int argc, char** argv) {
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    char* text = NULL;
    require(asprintf(&text, "%0200lu", left) == 200, "asprintf");
    free(keep(strdup(text)));
    free(keep(strndup(text, 20)));
    free(text);
  }
  return 0;
}
