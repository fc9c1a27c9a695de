// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a C++ program's static objects allocate before main and are destroyed after it
// elsewhere: the runtime's own start-up block is subtracted in some runs and not in others
// proof: libstdc++ takes one emergency pool at start-up and keeps it (1 allocation); the static object takes and
//   releases one block; main N
// runs: glibc mimalloc by-hand
// argument: 1000
// expect: allocations=1002 deallocations=1001 exit=0
// expect difference(1000): allocations=1000 deallocations=1000 allocated_bytes=24000
#include "../hazard.h"

#include <new>

namespace {

struct Holder {
  void* m_block = keep(operator new(40));
  ~Holder() { operator delete(m_block); }
};

Holder g_holder;

}  // namespace

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  return 0;
}
