// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a C++ library in a C program finds no memory: bad_alloc unwinds through the hooks
// elsewhere: the hooks themselves throw nothing, return NULL from operator new, or end the program
// proof: each round is one request that fails and one exception of the runtime (1 pair); both runs make one round more
// runs: glibc
// command: {program} {n} {library}
// argument: 1000
// expect difference(1000): allocations=1000 deallocations=1000 failed_allocations=1000 exit=0
#include "../hazard.h"

#include <dlfcn.h>

int main(int argc, char** argv) {
  void* library = dlopen(argc > 2 ? argv[2] : "", RTLD_NOW | RTLD_LOCAL);
  require(library != NULL, "dlopen");
  int (*work)(unsigned long) = NULL;
  *(void**)&work = dlsym(library, "hazard_work");
  require(work != NULL, "dlsym");
  say_number("work", work(argument(argc, argv)));
  return 0;
}
