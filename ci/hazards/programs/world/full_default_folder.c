// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a full disk where records are kept by default
// elsewhere: the record is a sparse file: the program dies by SIGBUS when it counts
// proof: N pairs, counted in the next folder that can be written; or one sentence and 125
// needs: root
// runs: glibc
// mount: size=64k /dev/shm
// argument: 1000
// expect: allocations=1000 deallocations=1000 exit=0
// or blind: ALLOCGATE_RECORD_DIR
#include "../hazard.h"

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  say("done\n");
  return 0;
}
