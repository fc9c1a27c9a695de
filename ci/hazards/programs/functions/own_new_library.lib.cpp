// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The library of functions_own_new_library.
#include <cstdlib>
#include <new>

extern "C" {
extern int hazard_replacement_used;
int hazard_replacement_used = 0;
}

void* operator new(std::size_t size) {
  void* block = std::malloc(size);
  hazard_replacement_used = 1;
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
