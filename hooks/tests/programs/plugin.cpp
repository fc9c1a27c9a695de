// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
// A C++ plug-in of a C program: `count` new and delete, and one bad_alloc that it catches itself.
#include <cstddef>
#include <cstdint>
#include <new>

extern "C" int plugin_work(long count) {
  void* (*volatile allocate)(size_t) = ::operator new;
  void (*volatile release)(void*) noexcept = ::operator delete;
  for (; count > 0; --count) {
    release(allocate(100));
  }
  try {
    allocate(static_cast<size_t>(PTRDIFF_MAX) - 4096);
  } catch (const std::bad_alloc&) {
    return 0;
  }
  return 1;
}
