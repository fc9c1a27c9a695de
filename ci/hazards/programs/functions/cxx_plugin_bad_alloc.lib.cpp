// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The library of functions_cxx_plugin_bad_alloc.
#include "../hazard.h"

#include <new>

extern "C" int hazard_work(unsigned long times);

extern "C" int hazard_work(unsigned long times) {
  int caught = 0;
  for (unsigned long i = 0; i <= times; ++i) {
    try {
      keep(operator new(opaque(PTRDIFF_MAX)));
    } catch (const std::bad_alloc&) {
      ++caught;
    }
  }
  return caught;
}
