// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a C program that opens a C++ library for itself alone (RTLD_LOCAL)
// elsewhere: the hooks' operator new looks for the next one, finds none in a C program, and calls through NULL
// proof: N times new, new[] and an exception of the library's, a pair each. Both runs throw one more, because the first
//   makes the loader allocate the runtime's thread-local storage
// runs: glibc mimalloc
// command: {program} {n} {library}
// argument: 1000
// expect difference(1000): allocations=3000 deallocations=3000 exit=0
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
