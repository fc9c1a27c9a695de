// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Finds definitions by reading the dynamic symbol tables of the loaded objects. Done by hand because dlsym() allocates
// and leaves a dlerror() message when a name is missing, cannot see what a C program loaded with RTLD_LOCAL, and its
// symbol version (GLIBC_2.34) keeps the library out of older systems. Takes the loader's list lock for a moment;
// allocates nothing. Any thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace allocgate::hooks {

/* The addresses that a loaded object occupies. */
struct ObjectRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;

  bool contains(const void* address) const {
    const auto value = reinterpret_cast<uintptr_t>(address);
    return value >= begin && value < end;
  }
  bool operator==(const ObjectRange&) const = default;
};

/* A name to look for, and where it was found: `address` stays null when no object defines it. */
struct WantedSymbol {
  const char* name;
  void* address = nullptr;
  ObjectRange object = {};
};

/* Fills in the first definition of each name, of a function or variable, in an object loaded after this one (what
 * RTLD_NEXT means). */
void find_next_definitions(WantedSymbol* symbols, size_t count);

/* Whether the address is in this library. */
bool is_in_this_library(const void* address);

}  // namespace allocgate::hooks
