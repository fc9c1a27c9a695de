// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a library opened in a namespace of its own, with a C library and a heap of its own
// elsewhere: its calls are silently missed
// proof: N pairs in the library, counted or the library named
// runs: glibc
// command: {program} {n} {library}
// argument: 1000
// expect difference(1000): allocations=1000 deallocations=1000 exit=0
// or note: libfunctions_dlmopen.so
#include "../hazard.h"

#include <dlfcn.h>

int main(int argc, char** argv) {
  void* library = dlmopen(LM_ID_NEWLM, argc > 2 ? argv[2] : "", RTLD_NOW);
  require(library != NULL, "the library opens");
  int (*work)(unsigned long) = NULL;
  *(void**)&work = dlsym(library, "hazard_work");
  require(work != NULL, "dlsym");
  work(argument(argc, argv));
  require(dlclose(library) == 0, "dlclose");
  say("done\n");
  return 0;
}
