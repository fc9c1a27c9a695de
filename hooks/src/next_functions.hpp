// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The definitions that the hooks forward to: for each interposed function the next one in symbol order, so that any
// allocator may lie below. Each pointer starts at a stub that finds them all and then calls through, so that the hot
// path has nothing to check. Finding is idempotent: threads may do it at the same time.
#pragma once

#include <stddef.h>

#include "symbol_search.hpp"

namespace allocgate::hooks {

/* The interposed C functions, and malloc_usable_size, which is only called. */
struct NextFunctions {
#define ALLOCGATE_HOOK_REQUIRED(name, result, parameters, arguments) result(*name) parameters;
#define ALLOCGATE_HOOK_OPTIONAL(name, result, parameters, arguments) result(*name) parameters;
#include "hooked_functions.def"
  size_t (*malloc_usable_size)(void* pointer);
};

/* Which object each of them lies in: a call of ours that comes from there while it runs is part of the same request. */
struct NextObjects {
#define ALLOCGATE_HOOK_REQUIRED(name, result, parameters, arguments) ObjectRange name;
#define ALLOCGATE_HOOK_OPTIONAL(name, result, parameters, arguments) ObjectRange name;
#include "hooked_functions.def"
  ObjectRange malloc_usable_size;
};

extern NextFunctions g_next __attribute__((visibility("hidden")));
extern NextObjects g_next_objects __attribute__((visibility("hidden")));

/* Finds all of them. A libc without malloc, calloc, realloc or free ends the process with one line that says so. */
void find_next_functions();

}  // namespace allocgate::hooks
