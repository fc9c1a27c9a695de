/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
/* The C API from C. Every case must be run with the hooks, `without_hooks` without. */
#include <allocgate/hooks.h>
#include <stdlib.h>

#include "probe.h"

static int without_hooks(long count) {
  allocgate_counters counters;
  allocgate_window window;
  (void)count;
  HOLDS(!allocgate_hooks_loaded());
  HOLDS(allocgate_read_process(&counters) == ALLOCGATE_NOT_LOADED && counters.allocations == 0);
  HOLDS(allocgate_window_begin(&window) == ALLOCGATE_NOT_LOADED);
  HOLDS(allocgate_window_end(&window, &counters) == ALLOCGATE_NOT_LOADED);
  allocgate_pause();
  allocgate_resume();
  return 0;
}

static int windows(long count) {
  allocgate_window outer;
  allocgate_window inner;
  allocgate_counters in_outer;
  allocgate_counters in_inner;
  void* kept;
  HOLDS(allocgate_hooks_loaded());
  HOLDS(allocgate_window_begin(&outer) == ALLOCGATE_OK);
  free(used(malloc(100000)));
  HOLDS(allocgate_window_begin(&inner) == ALLOCGATE_OK);
  for (; count > 0; --count) {
    free(used(malloc(100)));
  }
  kept = used(malloc(1000));
  HOLDS(allocgate_window_end(&inner, &in_inner) == ALLOCGATE_OK);
  HOLDS(allocgate_window_end(&outer, &in_outer) == ALLOCGATE_OK);
  HOLDS(in_outer.allocations == in_inner.allocations + 1);
  HOLDS(in_outer.deallocations == in_inner.deallocations + 1);
  HOLDS(in_inner.allocations == in_inner.deallocations + 1);
  HOLDS(in_inner.size_classes[10] == 1);
  HOLDS(in_inner.live_bytes >= 1000 && in_inner.live_bytes < 1100);
  HOLDS(in_inner.peak_live_bytes >= 1000 && in_inner.peak_live_bytes < 1200);
  HOLDS(in_outer.peak_live_bytes >= 100000 && in_outer.peak_live_bytes < 110000);
  free(kept);
  return 0;
}

static int pauses(long count) {
  allocgate_counters before;
  allocgate_counters after;
  void* block;
  HOLDS(allocgate_read_process(&before) == ALLOCGATE_OK);
  allocgate_pause();
  allocgate_pause();
  for (; count > 0; --count) {
    free(used(malloc(100)));
    free(used(calloc(10, 10)));
    free(used(realloc(used(malloc(10)), 1000)));
  }
  allocgate_resume();
  block = used(malloc(100));
  allocgate_resume();
  free(block);
  HOLDS(allocgate_read_process(&after) == ALLOCGATE_OK);
  HOLDS(after.allocations == before.allocations);
  HOLDS(after.deallocations == before.deallocations + 1);
  HOLDS(allocgate_read_thread(&after) == ALLOCGATE_OK);
  HOLDS(after.deallocations == before.deallocations + 1);
  return 0;
}

static const struct probe_case k_cases[] = {
    {"without_hooks", without_hooks},
    {"windows", windows},
    {"pauses", pauses},
};

PROBE_MAIN(k_cases)
