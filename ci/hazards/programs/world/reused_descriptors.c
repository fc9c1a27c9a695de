// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: descriptors 0 to 2 closed at start-up, so that the program's own files get those numbers, then a new image
// elsewhere: a summary or a warning is written into the program's file; or the record takes descriptor 0
// proof: the second image starts without descriptors; its first open must give 0. N pairs in each image
// runs: glibc mimalloc musl by-hand
// argument: 1000
// expect: allocations=2000 deallocations=2000 exit=0
// expect[by-hand]: allocations=1000 deallocations=1000 exit=0
#include "../hazard_processes.h"

#include <fcntl.h>

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  if (!is_child_role(argc, argv)) {
    close(0);
    close(1);
    close(2);
    execl(argv[0], argv[0], argv[1], "child", (char*)NULL);
    return 98;
  }
  for (int expected = 0; expected < 3; ++expected) {
    if (open("own", O_RDWR | O_CREAT | O_APPEND, 0600) != expected) {
      return 90;
    }
  }
  say("only this line is in the file\n");
  return 0;
}
