// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <allocgate/hooks.h>

// Sums and differences of readings. Nothing here allocates or fails. `peak_live_bytes` is not a sum and is left alone.
namespace allocgate {

/// Adds what happened between two readings to `sum`. With `from` and `to` exchanged, takes it away again.
inline void add_difference(allocgate_counters& sum, const allocgate_counters& from, const allocgate_counters& to) {
  sum.allocations += to.allocations - from.allocations;
  sum.deallocations += to.deallocations - from.deallocations;
  sum.reallocations += to.reallocations - from.reallocations;
  sum.failed_allocations += to.failed_allocations - from.failed_allocations;
  sum.allocated_bytes += to.allocated_bytes - from.allocated_bytes;
  sum.allocated_usable_bytes += to.allocated_usable_bytes - from.allocated_usable_bytes;
  sum.deallocated_bytes += to.deallocated_bytes - from.deallocated_bytes;
  sum.live_bytes += to.live_bytes - from.live_bytes;
  for (unsigned slot = 0; slot < ALLOCGATE_SIZE_CLASS_SLOTS; ++slot) {
    sum.size_classes[slot] += to.size_classes[slot] - from.size_classes[slot];
  }
}

/// Whether nothing was counted between two readings of the same counters.
inline bool same_events(const allocgate_counters& one, const allocgate_counters& other) {
  return one.allocations == other.allocations && one.deallocations == other.deallocations &&
         one.failed_allocations == other.failed_allocations && one.allocated_bytes == other.allocated_bytes;
}

}  // namespace allocgate
