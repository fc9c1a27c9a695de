// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: the executable replaces operator new and delete
// elsewhere: the replacement wins over the hooks' own, so that nothing is counted
// proof: the replacement calls malloc: N pairs, each once
// runs: glibc mimalloc
// argument: 1000
// expect difference(1000): allocations=1000 deallocations=1000 allocated_bytes=40000 exit=0
#include "../hazard.h"

#include <cstdlib>
#include <new>

void* operator new(std::size_t size) {
  void* block = std::malloc(size);
  if (block == nullptr) {
    throw std::bad_alloc();
  }
  return block;
}

void operator delete(void* block) noexcept {
  std::free(block);
}

void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}

int main(int argc, char** argv) {
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    operator delete(keep(operator new(40)));
  }
  return 0;
}
