// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: LD_PRELOAD names a library that wraps malloc before the command is started
// elsewhere: the user's preload is overwritten, or a call is counted twice
// proof: N pairs in main, each once
// runs: glibc by-hand
// environment: LD_PRELOAD={library}
// argument: 1000
// expect: allocations=1000 deallocations=1000 exit=0
#include "../hazard.h"

int main(int argc, char** argv) {
  const char* preload = getenv("LD_PRELOAD");
  require(preload != NULL && strstr(preload, "preload_after") != NULL, "the user's own preload is still there");
  allocate_and_free(argument(argc, argv));
  say("done\n");
  return 0;
}
