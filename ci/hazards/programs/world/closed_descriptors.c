// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: the program closes every descriptor from 0 to 1023, those of others too, and counts on getting them back
// elsewhere: the hooks' descriptor is closed and then written to, when it is a file of the program's
// proof: N pairs before the descriptors are closed and N after; then 3 files get the descriptors 0, 1 and 2
// runs: glibc mimalloc musl by-hand
// argument: 1000
// expect: allocations=2000 deallocations=2000 exit=0
#include "../hazard.h"

#include <fcntl.h>

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  allocate_and_free(times);
  for (int descriptor = 0; descriptor < 1024; ++descriptor) {
    close(descriptor);
  }
  allocate_and_free(times);
  for (int expected = 0; expected < 3; ++expected) {
    if (open("own", O_RDWR | O_CREAT | O_APPEND, 0600) != expected) {
      return 90;
    }
  }
  say("only this line is in the file\n");
  return 0;
}
