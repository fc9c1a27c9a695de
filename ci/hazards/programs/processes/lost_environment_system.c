// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: system() after clearenv()
// elsewhere: the shell is started inside the C library, where nothing is interposed, and runs without the hooks
// proof: the parent makes 1000 pairs; its shell is counted or named as not counted
// runs: glibc musl
// expect: exit=0
// or note: /bin/sh
// expect first: allocations=1000 deallocations=1000
#include "../hazard_processes.h"

int main(void) {
  allocate_and_free(1000);
  require(clearenv() == 0, "clearenv");
  require(system("exit 3") == 3 << 8, "system");
  say("done\n");
  return 0;
}
