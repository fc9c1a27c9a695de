// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The functions that allocate, each in its own way: 10 times, 24 bytes.
#include <malloc.h>
#include <stdlib.h>

#include <new>

#include "stack_probe.hpp"

namespace {

template <typename Allocate>
void ten_times(Allocate allocate) {
  for (int i = 0; i < 10; ++i) {
    void* block = allocate();
    keep(block);
    free(block);
  }
}

}  // namespace

ALLOCGATE_FRAME void by_calloc() {
  ten_times([] { return calloc(3, 8); });
}
ALLOCGATE_FRAME void by_realloc() {
  ten_times([] { return realloc(nullptr, 24); });
}
ALLOCGATE_FRAME void by_realloc_again(void* block) {
  for (int i = 0; i < 10; ++i) {
    block = realloc(block, 24);
    keep(block);
  }
  free(block);
}
ALLOCGATE_FRAME void by_reallocarray() {
  ten_times([] { return reallocarray(nullptr, 3, 8); });
}
ALLOCGATE_FRAME void by_posix_memalign() {
  ten_times([] {
    void* block = nullptr;
    return posix_memalign(&block, 64, 24) == 0 ? block : nullptr;
  });
}
ALLOCGATE_FRAME void by_aligned_alloc() {
  ten_times([] { return aligned_alloc(8, 24); });
}
ALLOCGATE_FRAME void by_memalign() {
  ten_times([] { return memalign(64, 24); });
}
ALLOCGATE_FRAME void by_new() {
  for (int i = 0; i < 10; ++i) {
    void* block = ::operator new(24);
    keep(block);
    ::operator delete(block);
  }
}
ALLOCGATE_FRAME void by_new_array() {
  for (int i = 0; i < 10; ++i) {
    void* block = ::operator new[](24, std::nothrow);
    keep(block);
    ::operator delete[](block);
  }
}

ALLOCGATE_FRAME void in_every_way() {
  by_calloc();
  by_realloc();
  by_realloc_again(nullptr);
  by_reallocarray();
  by_posix_memalign();
  by_aligned_alloc();
  by_memalign();
  by_new();
  by_new_array();
  keep();
}
