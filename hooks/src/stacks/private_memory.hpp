// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Memory of our own from the kernel, zeroed, page by page when it is touched. Null when it cannot be had, or
// the share of a limited address space is used up.
#pragma once

#include <stddef.h>

#include "stacks/memory_share.hpp"
#include "system_calls.hpp"

namespace allocgate::hooks {

template <typename T>
T* take_memory(size_t count) {
  const size_t bytes = count * sizeof(T);
  if (!claim_share(bytes)) {
    return nullptr;
  }
  void* memory = map_memory(bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
  if (memory == nullptr) {
    return_share(bytes);
  }
  return static_cast<T*>(memory);
}

/* The same for what is read and written all over: in large pages where the kernel has them, once it is that large. */
template <typename T>
T* take_scattered_memory(size_t count) {
  constexpr size_t k_large_page = size_t{2} << 20;
  constexpr long k_large_pages = 14;  // MADV_HUGEPAGE
  T* memory = take_memory<T>(count);
  if (memory != nullptr && count * sizeof(T) >= k_large_page) {
    system_call(SYS_madvise, as_word(memory), static_cast<long>(count * sizeof(T)), k_large_pages);
  }
  return memory;
}

template <typename T>
void give_memory_back(T* memory, size_t count) {
  if (memory != nullptr) {
    system_call(SYS_munmap, as_word(memory), static_cast<long>(count * sizeof(T)));
    return_share(count * sizeof(T));
  }
}

/* Reads as zeroes from now on: for what another thread may still be looking at. */
template <typename T>
void empty_memory(T* memory, size_t count) {
  system_call(SYS_madvise, as_word(memory), static_cast<long>(count * sizeof(T)), MADV_DONTNEED);
}

}  // namespace allocgate::hooks
