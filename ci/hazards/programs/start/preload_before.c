// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: another library that wraps malloc is preloaded before the hooks and passes each call on
// elsewhere: the call is counted in both or in neither
// proof: N pairs in main, each once; the wrapper keeps the addresses of the hooks' own functions, which
//   can be seen once it was called
// runs: glibc
// command: sh -c 'LD_PRELOAD="{library}:$LD_PRELOAD" exec {program} {n}'
// argument: 1000
// expect last: allocations=1000 deallocations=1000
#include "../hazard.h"

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  say("done\n");
  return 0;
}
