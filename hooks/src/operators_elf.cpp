// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// C++ operator new and delete on Linux. A request counts at malloc, which the next definition (libstdc++'s, or a
// replacement in a library) calls; here it is only forwarded by one jump, with nothing to undo when a bad_alloc passes.
// Where the allocator below defines the operators itself (mimalloc, jemalloc, tcmalloc) malloc is not called: then the
// jump goes to a form that counts.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "counters.hpp"
#include "next_functions.hpp"
#include "process_state.hpp"

#define ALLOCGATE_EXPORT extern "C" __attribute__((visibility("default")))

namespace allocgate::hooks {
namespace {

struct Operators {
#define ALLOCGATE_HOOK_NEW(name, parameters, arguments) void*(*name)parameters;
#define ALLOCGATE_HOOK_DELETE(name, parameters, arguments) void(*name) parameters;
#include "hooked_functions.def"
};

// The allocator's own operators, behind the forms that count them.
Operators g_allocator_operators;

// What libstdc++ asks malloc for: the same count whether a request is seen at malloc or at the operator.
size_t requested_size(size_t size) {
  return size == 0 ? 1 : size;
}
size_t requested_size(size_t size, const void*) {
  return requested_size(size);
}
size_t requested_size(size_t size, size_t alignment) {
  return (requested_size(size) + alignment - 1) / alignment * alignment;
}
size_t requested_size(size_t size, size_t alignment, const void*) {
  return requested_size(size, alignment);
}

/* One request to an operator new of the allocator, which may build it from its own malloc. A failure is counted
 * beforehand and taken back, because a bad_alloc does not come by here again. It leaves the thread with nested calls
 * open: its next events go the slower way and are counted as before, because where a call comes from decides. */
template <typename Request>
void* count_new(size_t size, const void* caller, Request next_new) {
  allocgate_block* block = block_for_call(caller);
  if (block != nullptr) {
    increment(block->failed_allocations);
  }
  void* pointer;
  {
    const NestedCalls nested(g_next_objects.malloc);
    pointer = next_new();
  }
  if (block != nullptr && pointer != nullptr) {
    subtract(block->failed_allocations, 1);
    count_allocation_from(caller, pointer, size);
  }
  return pointer;
}

template <typename Release>
void count_delete(void* pointer, const void* caller, Release next_delete) {
  if (pointer != nullptr) {
    count_deallocation_from(caller, pointer);
  }
  const NestedCalls nested(g_next_objects.free);
  next_delete();
}

struct CountingForms {
#define ALLOCGATE_HOOK_NEW(name, parameters, arguments)                     \
  static void* name parameters {                                            \
    return count_new(requested_size arguments, __builtin_return_address(0), \
                     [=] { return g_allocator_operators.name arguments; }); \
  }
#define ALLOCGATE_HOOK_DELETE(name, parameters, arguments)                                             \
  static void name parameters {                                                                        \
    count_delete(pointer, __builtin_return_address(0), [=] { g_allocator_operators.name arguments; }); \
  }
#include "hooked_functions.def"
};

void* find_symbol(const char* name) {
  WantedSymbol symbol{name};
  find_next_definitions(&symbol, 1);
  return symbol.address;
}

/* Nothing defines operator new: what the standard asks for, as far as it can be had without a C++ library. */
void* allocate_without_library(void* (*allocate)(size_t alignment, size_t size), size_t alignment, size_t size) {
  for (;;) {
    if (void* pointer = allocate(alignment, size); pointer != nullptr) {
      return pointer;
    }
    void* get_handler = find_symbol("_ZSt15get_new_handlerv");
    auto* handler = get_handler != nullptr ? reinterpret_cast<void (*(*)())()>(get_handler)() : nullptr;
    if (handler == nullptr) {
      return nullptr;
    }
    handler();
  }
}

void* malloc_unaligned(size_t, size_t size) {
  return malloc(size);
}

void* throw_when_null(void* pointer) {
  if (pointer == nullptr) {
    if (void* throw_bad_alloc = find_symbol("_ZSt17__throw_bad_allocv"); throw_bad_alloc != nullptr) {
      reinterpret_cast<void (*)()>(throw_bad_alloc)();
    }
    abort();
  }
  return pointer;
}

void* new_without_library(size_t size, const void*) {
  return allocate_without_library(malloc_unaligned, 1, requested_size(size));
}
void* new_without_library(size_t size, size_t alignment, const void*) {
  return allocate_without_library(aligned_alloc, alignment, requested_size(size, alignment));
}
void* new_without_library(size_t size) {
  return throw_when_null(new_without_library(size, nullptr));
}
void* new_without_library(size_t size, size_t alignment) {
  return throw_when_null(new_without_library(size, alignment, nullptr));
}

extern Operators g_next_operators;

/* What the exported operators jump to until the next definition was found; one that comes with a later dlopen is found
 * by the first call after it. */
struct FindingForms {
#define ALLOCGATE_HOOK_FIND(name)                                                                              \
  WantedSymbol next{#name};                                                                                    \
  find_next_definitions(&next, 1);                                                                             \
  using Function = decltype(Operators::name);                                                                  \
  if (next.address != nullptr) {                                                                               \
    if (g_next_objects.malloc == ObjectRange{}) {                                                              \
      find_next_functions();                                                                                   \
    }                                                                                                          \
    g_allocator_operators.name = reinterpret_cast<Function>(next.address);                                     \
    g_next_operators.name =                                                                                    \
        next.object == g_next_objects.malloc ? CountingForms::name : reinterpret_cast<Function>(next.address); \
  }
#define ALLOCGATE_HOOK_NEW(name, parameters, arguments)                                               \
  static void* name parameters {                                                                      \
    ALLOCGATE_HOOK_FIND(name)                                                                         \
    return next.address != nullptr ? g_next_operators.name arguments : new_without_library arguments; \
  }
#define ALLOCGATE_HOOK_DELETE(name, parameters, arguments)                     \
  static void name parameters {                                                \
    ALLOCGATE_HOOK_FIND(name)                                                  \
    next.address != nullptr ? g_next_operators.name arguments : free(pointer); \
  }
#include "hooked_functions.def"
#undef ALLOCGATE_HOOK_FIND
};

Operators g_next_operators = {
#define ALLOCGATE_HOOK_NEW(name, parameters, arguments) FindingForms::name,
#define ALLOCGATE_HOOK_DELETE(name, parameters, arguments) FindingForms::name,
#include "hooked_functions.def"
};

}  // namespace

#define ALLOCGATE_HOOK_NEW(name, parameters, arguments) \
  ALLOCGATE_EXPORT void* name parameters {              \
    return g_next_operators.name arguments;             \
  }
#define ALLOCGATE_HOOK_DELETE(name, parameters, arguments) \
  ALLOCGATE_EXPORT void name parameters {                  \
    return g_next_operators.name arguments;                \
  }
#include "hooked_functions.def"

}  // namespace allocgate::hooks
