// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "next_functions.hpp"

#include <errno.h>
#include <unistd.h>

#include "system_calls.hpp"

namespace allocgate::hooks {
namespace {

// What stands in for a function that neither the libc nor the allocator has (pvalloc in musl, free_sized before C23).

size_t page_size() {
  return static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

void* substitute_memalign(size_t alignment, size_t size) {
  return g_next.aligned_alloc(alignment, size);
}

void* substitute_valloc(size_t size) {
  return g_next.aligned_alloc(page_size(), size);
}

void* substitute_pvalloc(size_t size) {
  const size_t page = page_size();
  if (size > SIZE_MAX - page) {
    errno = ENOMEM;
    return nullptr;
  }
  return g_next.aligned_alloc(page, (size + page - 1) / page * page);
}

void* substitute_reallocarray(void* pointer, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return g_next.realloc(pointer, bytes);
}

void substitute_cfree(void* pointer) {
  g_next.free(pointer);
}
void substitute_free_sized(void* pointer, size_t) {
  g_next.free(pointer);
}
void substitute_free_aligned_sized(void* pointer, size_t, size_t) {
  g_next.free(pointer);
}

#define ALLOCGATE_HOOK_REQUIRED(name, result, parameters, arguments) \
  result find_and_##name parameters {                                \
    find_next_functions();                                           \
    return g_next.name arguments;                                    \
  }
#define ALLOCGATE_HOOK_OPTIONAL(name, result, parameters, arguments) \
  ALLOCGATE_HOOK_REQUIRED(name, result, parameters, arguments)
#include "hooked_functions.def"

size_t find_and_malloc_usable_size(void* pointer) {
  find_next_functions();
  return g_next.malloc_usable_size(pointer);
}

/* Without usable sizes (no libc we serve lacks them) the advisory measures read 0. */
size_t no_usable_size(void*) {
  return 0;
}

[[noreturn]] void fail_without(const char* name) {
  static constexpr char k_before[] = "allocgate: no library below the hooks defines ";
  static constexpr char k_after[] = "; preload them only into programs that use a shared libc\n";
  size_t length = 0;
  while (name[length] != '\0') {
    ++length;
  }
  write_file(STDERR_FILENO, k_before, sizeof(k_before) - 1);
  write_file(STDERR_FILENO, name, length);
  write_file(STDERR_FILENO, k_after, sizeof(k_after) - 1);
  abort_process();
}

}  // namespace

NextFunctions g_next = {
#define ALLOCGATE_HOOK_REQUIRED(name, result, parameters, arguments) find_and_##name,
#define ALLOCGATE_HOOK_OPTIONAL(name, result, parameters, arguments) find_and_##name,
#include "hooked_functions.def"
    find_and_malloc_usable_size,
};
NextObjects g_next_objects;

void find_next_functions() {
  struct {
#define ALLOCGATE_HOOK_REQUIRED(name, result, parameters, arguments) WantedSymbol name{#name};
#define ALLOCGATE_HOOK_OPTIONAL(name, result, parameters, arguments) WantedSymbol name{#name};
#include "hooked_functions.def"
    WantedSymbol malloc_usable_size{"malloc_usable_size"};
  } wanted;
  find_next_definitions(&wanted.malloc, sizeof(wanted) / sizeof(WantedSymbol));

  // The function that other pointers' first callers may need is set first.
  g_next.malloc_usable_size = wanted.malloc_usable_size.address == nullptr
                                  ? no_usable_size
                                  : reinterpret_cast<size_t (*)(void*)>(wanted.malloc_usable_size.address);
  g_next_objects.malloc_usable_size = wanted.malloc_usable_size.object;
#define ALLOCGATE_HOOK_REQUIRED(name, result, parameters, arguments) \
  if (wanted.name.address == nullptr) {                              \
    fail_without(#name);                                             \
  }                                                                  \
  g_next_objects.name = wanted.name.object;                          \
  g_next.name = reinterpret_cast<result(*) parameters>(wanted.name.address);
#include "hooked_functions.def"
  // In another object than malloc (jemalloc has no pvalloc, glibc has) it would hand out or release blocks of another
  // heap: the substitute stays with malloc's.
#define ALLOCGATE_HOOK_OPTIONAL(name, result, parameters, arguments)                                           \
  {                                                                                                            \
    const bool is_usable = wanted.name.address != nullptr && wanted.name.object == wanted.malloc.object;       \
    g_next_objects.name = wanted.malloc.object;                                                                \
    g_next.name = is_usable ? reinterpret_cast<result(*) parameters>(wanted.name.address) : substitute_##name; \
  }
#include "hooked_functions.def"
}

}  // namespace allocgate::hooks
