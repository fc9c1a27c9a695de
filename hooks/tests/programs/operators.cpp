// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
// One case a form of operator new and delete: `count` requests of 100 bytes, each released by the form it belongs to.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "probe.h"

namespace {

constexpr size_t k_size = 100;
constexpr std::align_val_t k_alignment{64};

// Called through volatile pointers: a compiler may leave out a new-expression, and may pick the form of the delete.
#define NEW_FORM(name, new_type, delete_type, new_arguments, delete_arguments) \
  int name(long count) {                                                       \
    void*(*volatile allocate)new_type = ::operator new;                        \
    void(*volatile release) delete_type = ::operator delete;                   \
    for (; count > 0; --count) {                                               \
      void* pointer = allocate new_arguments;                                  \
      HOLDS(pointer != nullptr);                                               \
      release delete_arguments;                                                \
    }                                                                          \
    return 0;                                                                  \
  }                                                                            \
  int name##_array(long count) {                                               \
    void*(*volatile allocate)new_type = ::operator new[];                      \
    void(*volatile release) delete_type = ::operator delete[];                 \
    for (; count > 0; --count) {                                               \
      void* pointer = allocate new_arguments;                                  \
      HOLDS(pointer != nullptr);                                               \
      release delete_arguments;                                                \
    }                                                                          \
    return 0;                                                                  \
  }

NEW_FORM(plain, (size_t), (void*) noexcept, (k_size), (pointer))
NEW_FORM(sized, (size_t), (void*, size_t) noexcept, (k_size), (pointer, k_size))
NEW_FORM(nothrow, (size_t, const std::nothrow_t&) noexcept, (void*, const std::nothrow_t&) noexcept,
         (k_size, std::nothrow), (pointer, std::nothrow))
NEW_FORM(aligned, (size_t, std::align_val_t), (void*, std::align_val_t) noexcept, (k_size, k_alignment),
         (pointer, k_alignment))
NEW_FORM(aligned_sized, (size_t, std::align_val_t), (void*, size_t, std::align_val_t) noexcept, (k_size, k_alignment),
         (pointer, k_size, k_alignment))
NEW_FORM(aligned_nothrow, (size_t, std::align_val_t, const std::nothrow_t&) noexcept,
         (void*, std::align_val_t, const std::nothrow_t&) noexcept, (k_size, k_alignment, std::nothrow),
         (pointer, k_alignment, std::nothrow))

// libstdc++'s start-up alone.
int nothing(long) {
  return 0;
}

int zero_size(long count) {
  for (; count > 0; --count) {
    void* (*volatile allocate)(size_t) = ::operator new;
    HOLDS(allocate(0) != nullptr);
  }
  return 0;
}

// One failed request that throws through the hooks (the exception itself is an allocation), then `count` mallocs.
int bad_alloc(long count) {
  void* (*volatile allocate)(size_t) = ::operator new;
  bool caught = false;
  try {
    used(allocate(static_cast<size_t>(PTRDIFF_MAX) - 4096));
  } catch (const std::bad_alloc&) {
    caught = true;
  }
  HOLDS(caught);
  for (; count > 0; --count) {
    HOLDS(used(std::malloc(k_size)) != nullptr);
  }
  return 0;
}

int g_handled = 0;

// A new_handler that allocates itself, gives up after `count` calls, and is counted: count allocations of 24 bytes.
int new_handler(long count) {
  static long left;
  left = count;
  std::set_new_handler([] {
    used(std::malloc(24));
    ++g_handled;
    if (--left == 0) {
      std::set_new_handler(nullptr);
    }
  });
  void* (*volatile allocate)(size_t, const std::nothrow_t&) noexcept = ::operator new;
  HOLDS(allocate(static_cast<size_t>(PTRDIFF_MAX) - 4096, std::nothrow) == nullptr);
  HOLDS(g_handled == count);
  return 0;
}

const probe_case k_cases[] = {
    {"nothing", nothing},
    {"plain", plain},
    {"plain_array", plain_array},
    {"sized", sized},
    {"sized_array", sized_array},
    {"nothrow", nothrow},
    {"nothrow_array", nothrow_array},
    {"aligned", aligned},
    {"aligned_array", aligned_array},
    {"aligned_sized", aligned_sized},
    {"aligned_sized_array", aligned_sized_array},
    {"aligned_nothrow", aligned_nothrow},
    {"aligned_nothrow_array", aligned_nothrow_array},
    {"zero_size", zero_size},
    {"bad_alloc", bad_alloc},
    {"new_handler", new_handler},
};

}  // namespace

PROBE_MAIN(k_cases)
