// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The interposed C functions on Linux: each calls the next definition and counts what came of it. malloc and free are
// the hot path. The others tell NestedCalls which object they go into, because a libc may build one function from
// another (musl's calloc calls malloc, glibc's reallocarray calls realloc) and one request counts once.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "counters.hpp"
#include "next_functions.hpp"
#include "process_state.hpp"

#define ALLOCGATE_EXPORT extern "C" __attribute__((visibility("default")))
#define ALLOCGATE_CALLER __builtin_return_address(0)

namespace allocgate::hooks {
namespace {

/* free and its kin count before the block is gone: afterwards its size cannot be asked, and its address may be
 * another thread's allocation. */
template <typename Release>
void release(void* pointer, const ObjectRange& next_object, const void* caller, Release next_release) {
  if (pointer != nullptr) {
    count_deallocation_from(caller, pointer);
  }
  const NestedCalls nested(next_object);
  next_release();
}

template <typename Request>
void* request(size_t size, const ObjectRange& next_object, const void* caller, Request next_request) {
  void* pointer;
  {
    const NestedCalls nested(next_object);
    pointer = next_request();
  }
  return count_allocation_from(caller, pointer, size);
}

/* Refused for its alignment, a request did not fail to find memory, and is not counted. An allocator that says nothing
 * in errno is taken to refuse what is no power of two. */
template <typename Request>
void* request_aligned(size_t alignment, size_t size, const ObjectRange& next_object, const void* caller,
                      Request next_request) {
  const int errno_before = errno;
  errno = 0;
  void* pointer;
  {
    const NestedCalls nested(next_object);
    pointer = next_request();
  }
  const int error = errno;
  if (error == 0) {
    errno = errno_before;
  }
  const bool is_power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  const bool is_refused = pointer == nullptr && (error == EINVAL || (error == 0 && !is_power_of_two));
  return is_refused ? nullptr : count_allocation_from(caller, pointer, size);
}

template <typename Request>
void* request_again(void* pointer, size_t size, const ObjectRange& next_object, const void* caller,
                    Request next_request) {
  if (pointer == nullptr) {
    return request(size, next_object, caller, next_request);
  }
  const ReallocatedBlock old = before_reallocation(pointer, caller);
  {
    const NestedCalls nested(next_object);
    pointer = next_request();
  }
  count_reallocation(old, pointer, size);
  return pointer;
}

/* A product that overflows is for the next function to refuse; SIZE_MAX is then not the size of anything. */
size_t product(size_t count, size_t size) {
  size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes;
}

[[gnu::constructor]] void start() {
  if (g_next_objects.malloc == ObjectRange{}) {
    find_next_functions();
  }
  start_process();
}
[[gnu::destructor]] void end() {
  end_process();
}

}  // namespace

ALLOCGATE_EXPORT void* malloc(size_t size) {
  return count_allocation(g_next.malloc(size), size);
}

ALLOCGATE_EXPORT void free(void* pointer) {
  if (pointer != nullptr) {
    if (__builtin_expect(t_thread.counts_key != process_key(), 0)) {
      return free_slowly(pointer);
    }
    increment(t_thread.block->deallocations);
  }
  g_next.free(pointer);
}

ALLOCGATE_EXPORT void* calloc(size_t count, size_t size) {
  return request(product(count, size), g_next_objects.calloc, ALLOCGATE_CALLER,
                 [=] { return g_next.calloc(count, size); });
}

ALLOCGATE_EXPORT void* realloc(void* pointer, size_t size) {
  return request_again(pointer, size, g_next_objects.realloc, ALLOCGATE_CALLER,
                       [=] { return g_next.realloc(pointer, size); });
}

ALLOCGATE_EXPORT void* reallocarray(void* pointer, size_t count, size_t size) {
  return request_again(pointer, product(count, size), g_next_objects.reallocarray, ALLOCGATE_CALLER,
                       [=] { return g_next.reallocarray(pointer, count, size); });
}

ALLOCGATE_EXPORT int posix_memalign(void** result, size_t alignment, size_t size) {
  int error;
  {
    const NestedCalls nested(g_next_objects.posix_memalign);
    error = g_next.posix_memalign(result, alignment, size);
  }
  // The result is what the caller had put there when the request failed. One for an impossible alignment is no request.
  if (error != EINVAL) {
    count_allocation_from(ALLOCGATE_CALLER, error == 0 ? *result : nullptr, size);
  }
  return error;
}

ALLOCGATE_EXPORT void* aligned_alloc(size_t alignment, size_t size) {
  return request_aligned(alignment, size, g_next_objects.aligned_alloc, ALLOCGATE_CALLER,
                         [=] { return g_next.aligned_alloc(alignment, size); });
}

ALLOCGATE_EXPORT void* memalign(size_t alignment, size_t size) {
  return request_aligned(alignment, size, g_next_objects.memalign, ALLOCGATE_CALLER,
                         [=] { return g_next.memalign(alignment, size); });
}

ALLOCGATE_EXPORT void* valloc(size_t size) {
  return request(size, g_next_objects.valloc, ALLOCGATE_CALLER, [=] { return g_next.valloc(size); });
}

ALLOCGATE_EXPORT void* pvalloc(size_t size) {
  return request(size, g_next_objects.pvalloc, ALLOCGATE_CALLER, [=] { return g_next.pvalloc(size); });
}

ALLOCGATE_EXPORT void cfree(void* pointer) {
  release(pointer, g_next_objects.cfree, ALLOCGATE_CALLER, [=] { g_next.cfree(pointer); });
}

ALLOCGATE_EXPORT void free_sized(void* pointer, size_t size) {
  release(pointer, g_next_objects.free_sized, ALLOCGATE_CALLER, [=] { g_next.free_sized(pointer, size); });
}

ALLOCGATE_EXPORT void free_aligned_sized(void* pointer, size_t alignment, size_t size) {
  release(pointer, g_next_objects.free_aligned_sized, ALLOCGATE_CALLER,
          [=] { g_next.free_aligned_sized(pointer, alignment, size); });
}

}  // namespace allocgate::hooks
