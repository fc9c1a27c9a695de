// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a library opened and closed again and again, whose constructor and destructor allocate
// elsewhere: tables of loaded objects grow, or a call site in a library that is gone is read
// proof: N times: the library's constructor makes 2 pairs, its function 5, its destructor 3; the loader's own
//   beside them: valgrind's number for all of it is right
// runs: glibc
// needs: valgrind
// command: {program} {n} {library}
// argument: 100
// expect valgrind(100): allocations deallocations allocated_bytes
#include "../hazard.h"

#include <dlfcn.h>

int main(int argc, char** argv) {
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    void* library = dlopen(argc > 2 ? argv[2] : "", RTLD_NOW | RTLD_LOCAL);
    require(library != NULL, "dlopen");
    int (*work)(unsigned long) = NULL;
    *(void**)&work = dlsym(library, "hazard_work");
    require(work != NULL, "dlsym");
    work(5);
    require(dlclose(library) == 0, "dlclose");
  }
  return 0;
}
