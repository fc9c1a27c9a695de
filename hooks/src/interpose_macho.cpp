// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The interposed functions on macOS, for DYLD_INSERT_LIBRARIES: a __DATA,__interpose table of pairs. Not built by the
// Linux build and NOT PROVEN YET: ci/macho compiles it and looks at the table, and nothing more. This file says what
// the table holds and how a request that passes through several layers counts once; running it, and its own record, are
// later work. Until then nothing else may rely on it.
//
// No thread_local: its first use in a thread allocates on macOS, through the very functions replaced here. The depth
// of nested calls lives under a pthread key instead, made before counting begins. C++ operator new needs no pair: it
// calls malloc.
#if !defined(__APPLE__)
#error "interpose_macho.cpp is for macOS; interpose_elf.cpp is for Linux"
#endif

#include <allocgate/hook_record.h>
#include <errno.h>
#include <malloc/malloc.h>
#if __has_include(<malloc/_malloc_type.h>)
#include <malloc/_malloc_type.h>
#endif
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

namespace {

// One block for all threads: right, and slower than a block a thread.
allocgate_block g_block;
pthread_key_t g_depth_key;
bool g_is_counting = false;

void add(uint64_t& counter, uint64_t value) {
  __atomic_fetch_add(&counter, value, __ATOMIC_RELAXED);
}

/* While alive, calls on this thread are part of the request under way. */
class Request {
public:
  Request() : m_is_outermost(g_is_counting && pthread_getspecific(g_depth_key) == nullptr) {
    if (m_is_outermost) {
      pthread_setspecific(g_depth_key, this);
    }
  }
  ~Request() {
    if (m_is_outermost) {
      pthread_setspecific(g_depth_key, nullptr);
    }
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  void* allocated(void* pointer, size_t size) const {
    if (m_is_outermost && pointer == nullptr) {
      add(g_block.failed_allocations, 1);
    } else if (m_is_outermost) {
      add(g_block.size_classes[63 ^ __builtin_clzll(2 * static_cast<uint64_t>(size) - 1)], 1);
      add(g_block.allocated_bytes, size);
    }
    return pointer;
  }

  /* Refused for its alignment, a request did not fail to find memory, and is not counted. */
  void* allocated_aligned(void* pointer, size_t size, bool is_refused) const {
    return pointer == nullptr && is_refused ? nullptr : allocated(pointer, size);
  }

  void released(void* pointer) const {
    if (m_is_outermost && pointer != nullptr) {
      add(g_block.deallocations, 1);
    }
  }

  /* By what happened: a block is both, null for size 0 a deallocation, null for another size a failure. */
  void* reallocated(void* old, void* pointer, size_t size) const {
    if (!m_is_outermost || old == nullptr || (pointer == nullptr && size != 0)) {
      return allocated(pointer, size);
    }
    add(g_block.deallocations, 1);
    if (pointer == nullptr) {
      return nullptr;
    }
    add(g_block.reallocations, 1);
    return allocated(pointer, size);
  }

private:
  bool m_is_outermost;
};

[[gnu::constructor]] void start_counting() {
  g_is_counting = pthread_key_create(&g_depth_key, nullptr) == 0;
}

size_t product(size_t count, size_t size) {
  size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes;
}

#define ALLOCGATE_ALLOCATES(name, parameters, arguments, size_expression) \
  void* hooked_##name parameters {                                        \
    const Request request;                                                \
    return request.allocated(name arguments, size_expression);            \
  }
#define ALLOCGATE_REALLOCATES(name, parameters, arguments)     \
  void* hooked_##name parameters {                             \
    const Request request;                                     \
    return request.reallocated(pointer, name arguments, size); \
  }
#define ALLOCGATE_RELEASES(name, parameters, arguments) \
  void hooked_##name parameters {                       \
    const Request request;                              \
    request.released(pointer);                          \
    name arguments;                                     \
  }

ALLOCGATE_ALLOCATES(malloc, (size_t size), (size), size)
ALLOCGATE_ALLOCATES(calloc, (size_t count, size_t size), (count, size), product(count, size))
ALLOCGATE_ALLOCATES(valloc, (size_t size), (size), size)
ALLOCGATE_REALLOCATES(realloc, (void* pointer, size_t size), (pointer, size))
ALLOCGATE_RELEASES(free, (void* pointer), (pointer))

/* Releases the block also where it fails: a failure and a deallocation. */
void* hooked_reallocf(void* pointer, size_t size) {
  const Request request;
  void* result = reallocf(pointer, size);
  if (result == nullptr && size != 0) {
    request.released(pointer);
    return request.allocated(nullptr, size);
  }
  return request.reallocated(pointer, result, size);
}

bool is_power_of_two(size_t alignment) {
  return alignment != 0 && (alignment & (alignment - 1)) == 0;
}

/* The result is what the caller had put there when the request failed. */
int hooked_posix_memalign(void** result, size_t alignment, size_t size) {
  const Request request;
  const int error = posix_memalign(result, alignment, size);
  request.allocated_aligned(error == 0 ? *result : nullptr, size, error == EINVAL);
  return error;
}

void* hooked_aligned_alloc(size_t alignment, size_t size) {
  const Request request;
  const int errno_before = errno;
  errno = 0;
  void* pointer = aligned_alloc(alignment, size);
  const int error = errno;
  if (error == 0) {
    errno = errno_before;
  }
  return request.allocated_aligned(pointer, size, error == EINVAL);
}

ALLOCGATE_ALLOCATES(malloc_zone_malloc, (malloc_zone_t * zone, size_t size), (zone, size), size)
ALLOCGATE_ALLOCATES(malloc_zone_calloc, (malloc_zone_t * zone, size_t count, size_t size), (zone, count, size),
                    product(count, size))
ALLOCGATE_ALLOCATES(malloc_zone_valloc, (malloc_zone_t * zone, size_t size), (zone, size), size)
/* A zone says nothing in errno. */
void* hooked_malloc_zone_memalign(malloc_zone_t* zone, size_t alignment, size_t size) {
  const Request request;
  void* pointer = malloc_zone_memalign(zone, alignment, size);
  return request.allocated_aligned(pointer, size, !is_power_of_two(alignment) || alignment < sizeof(void*));
}

ALLOCGATE_REALLOCATES(malloc_zone_realloc, (malloc_zone_t * zone, void* pointer, size_t size), (zone, pointer, size))
ALLOCGATE_RELEASES(malloc_zone_free, (malloc_zone_t * zone, void* pointer), (zone, pointer))

unsigned hooked_malloc_zone_batch_malloc(malloc_zone_t* zone, size_t size, void** results, unsigned count) {
  const Request request;
  const unsigned made = malloc_zone_batch_malloc(zone, size, results, count);
  for (unsigned i = 0; i < made; ++i) {
    request.allocated(results[i], size);
  }
  return made;
}

void hooked_malloc_zone_batch_free(malloc_zone_t* zone, void** pointers, unsigned count) {
  const Request request;
  for (unsigned i = 0; i < count; ++i) {
    request.released(pointers[i]);
  }
  malloc_zone_batch_free(zone, pointers, count);
}

// Apple's clang turns malloc into these for typed heaps (macOS 14 and later); weak imports, null on older systems.
#if __has_include(<malloc/_malloc_type.h>)
ALLOCGATE_ALLOCATES(malloc_type_malloc, (size_t size, malloc_type_id_t type), (size, type), size)
ALLOCGATE_ALLOCATES(malloc_type_calloc, (size_t count, size_t size, malloc_type_id_t type), (count, size, type),
                    product(count, size))
ALLOCGATE_REALLOCATES(malloc_type_realloc, (void* pointer, size_t size, malloc_type_id_t type), (pointer, size, type))
ALLOCGATE_RELEASES(malloc_type_free, (void* pointer, malloc_type_id_t type), (pointer, type))
#endif

}  // namespace

// `used` keeps the linker from dropping the table, which it has been seen to do silently.
#define ALLOCGATE_INTERPOSE(name)                                            \
  __attribute__((used, section("__DATA,__interpose"))) static const struct { \
    const void* replacement;                                                 \
    const void* original;                                                    \
  } interpose_##name = {reinterpret_cast<const void*>(&hooked_##name), reinterpret_cast<const void*>(&name)};

// What every system has is on the list shared with Linux; the rest is macOS's own.
#define ALLOCGATE_HOOK_REQUIRED(name, result, parameters, arguments) ALLOCGATE_INTERPOSE(name)
#include "hooked_functions.def"
ALLOCGATE_INTERPOSE(valloc)
ALLOCGATE_INTERPOSE(reallocf)
ALLOCGATE_INTERPOSE(malloc_zone_malloc)
ALLOCGATE_INTERPOSE(malloc_zone_calloc)
ALLOCGATE_INTERPOSE(malloc_zone_valloc)
ALLOCGATE_INTERPOSE(malloc_zone_memalign)
ALLOCGATE_INTERPOSE(malloc_zone_realloc)
ALLOCGATE_INTERPOSE(malloc_zone_free)
ALLOCGATE_INTERPOSE(malloc_zone_batch_malloc)
ALLOCGATE_INTERPOSE(malloc_zone_batch_free)
#if __has_include(<malloc/_malloc_type.h>)
ALLOCGATE_INTERPOSE(malloc_type_malloc)
ALLOCGATE_INTERPOSE(malloc_type_calloc)
ALLOCGATE_INTERPOSE(malloc_type_realloc)
ALLOCGATE_INTERPOSE(malloc_type_free)
#endif
