// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// A library that calls back, and one that allocates: loaded, unloaded and loaded again under several names.
#include <stdlib.h>

#include "stack_probe.hpp"

ALLOCGATE_FRAME [[gnu::visibility("default")]] void library_calls(Callback call, long count) {
  call(count);
  keep();
}

ALLOCGATE_FRAME [[gnu::visibility("default")]] void library_site(long count) {
  for (long i = 0; i < count; ++i) {
    void* block = malloc(40);
    keep(block);
    free(block);
  }
}
