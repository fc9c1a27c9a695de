// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a library of the program replaces operator new and delete
// elsewhere: the call is counted at operator new and again at the malloc under it
// proof: the replacement calls malloc: N pairs, each once
// runs: glibc mimalloc
// links: library
// argument: 1000
// expect difference(1000): allocations=1000 deallocations=1000 allocated_bytes=40000 exit=0
#include "../hazard.h"

extern "C" int hazard_replacement_used;

int main(int argc, char** argv) {
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    operator delete(keep(operator new(40)));
  }
  say(hazard_replacement_used != 0 ? "the library's\n" : "the runtime's\n");
  return 0;
}
