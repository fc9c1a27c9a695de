// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a record folder on a read-only file system
// elsewhere: the program is started without hooks and 0 is printed
// proof: N pairs, counted in the next folder that can be written; or one sentence and 125
// needs: root
// runs: glibc
// environment: ALLOCGATE_RECORD_DIR={mounted}
// mount: ro {mounted}
// argument: 1000
// expect: allocations=1000 deallocations=1000 exit=0
// or blind: ALLOCGATE_RECORD_DIR
#include "../hazard.h"

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  say("done\n");
  return 0;
}
