// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: another library with a whole allocator of its own is preloaded before the hooks: no call reaches them
// elsewhere: 0 is reported
// proof: counted, or the program named with the reason
// runs: glibc
// command: sh -c 'LD_PRELOAD="{library}:$LD_PRELOAD" exec {program} {n}'
// argument: 1000
// expect difference(1000): allocations=1000
// or note: start_preload_shadowing
#include "../hazard.h"

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  say("done\n");
  return 0;
}
