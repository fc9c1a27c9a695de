// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a library opened while the program runs
// elsewhere: its calls are bound past the hooks, or hooks that patch tables miss it
// proof: N pairs in the library; opening and closing are the same in both runs
// runs: glibc mimalloc musl
// command: {program} {n} {library}
// argument: 1000
// expect difference(1000): allocations=1000 deallocations=1000 exit=0
#include "../hazard.h"

#include <dlfcn.h>

int main(int argc, char** argv) {
  void* library = dlopen(argc > 2 ? argv[2] : "", RTLD_NOW | RTLD_LOCAL);
  require(library != NULL, "the library opens");
  int (*work)(unsigned long) = NULL;
  *(void**)&work = dlsym(library, "hazard_work");
  require(work != NULL, "dlsym");
  work(argument(argc, argv));
  require(dlclose(library) == 0, "dlclose");
  say("done\n");
  return 0;
}
