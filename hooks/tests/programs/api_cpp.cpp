// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
// The C API from C++: a window around `count` vectors.
#include <allocgate/hooks.h>

#include <vector>

#include "probe.h"

namespace {

int vectors(long count) {
  allocgate_window window;
  allocgate_counters counters;
  HOLDS(allocgate_hooks_loaded());
  HOLDS(allocgate_window_begin(&window) == ALLOCGATE_OK);
  for (long i = 0; i < count; ++i) {
    const std::vector<int> vector(100);
    used(const_cast<int*>(vector.data()));
  }
  HOLDS(allocgate_window_end(&window, &counters) == ALLOCGATE_OK);
  HOLDS(counters.allocations == static_cast<uint64_t>(count));
  HOLDS(counters.deallocations == static_cast<uint64_t>(count));
  HOLDS(counters.allocated_bytes == static_cast<uint64_t>(count) * 400);
  return 0;
}

const probe_case k_cases[] = {{"vectors", vectors}};

}  // namespace

PROBE_MAIN(k_cases)
