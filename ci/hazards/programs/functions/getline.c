// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: getline, which makes and grows a block inside the C library
// elsewhere: as for asprintf
// proof: N streams of one short line each, made by fmemopen; how many blocks that takes: valgrind's number is right
// runs: glibc
// needs: valgrind
// argument: 100
// expect valgrind(100): allocations deallocations allocated_bytes
// expect difference(100): live_allocations=0 live_bytes=0 exit=0
#include "../hazard.h"

#include <stdio.h>

int main(int argc, char** argv) {
  static char text[] = "one line\n";
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    FILE* file = fmemopen(text, sizeof text - 1, "r");
    char* line = NULL;
    size_t capacity = 0;
    require(file != NULL && getline(&line, &capacity, file) == 9, "getline");
    free(line);
    fclose(file);
  }
  return 0;
}
