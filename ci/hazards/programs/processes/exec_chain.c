// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a process that replaces its own program three times, by each form that takes its words one by one
// elsewhere: only the last image's counts are left, or all of them are one process
// proof: the image with n left makes n x 10 pairs: 30, 20, 10, 0
// runs: glibc mimalloc musl
// argument: 3
// expect: allocations=60 deallocations=60 exit=0
// expect first: allocations=30 deallocations=30
// expect last: allocations=0
// expect ends: replaced replaced replaced exited
// expect one pid: 4
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  unsigned long left = argument(argc, argv);
  char next[2] = {(char)('0' + left - 1), '\0'};
  allocate_and_free(left * 10);
  switch (left) {
    case 3:
      execl(argv[0], argv[0], next, (char*)NULL);
      return 98;
    case 2:
      execle(argv[0], argv[0], next, (char*)NULL, environ);
      return 98;
    case 1:
      execlp(argv[0], argv[0], next, (char*)NULL);
      return 98;
    default:
      return 0;
  }
}
