// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "readings.hpp"

#include "record.hpp"

namespace allocgate::hooks {
namespace {

uint64_t read(const uint64_t& counter) {
  return __atomic_load_n(&counter, __ATOMIC_RELAXED);
}

}  // namespace

void add_block(allocgate_counters& sum, const allocgate_block& block) {
  for (unsigned slot = 0; slot < ALLOCGATE_SIZE_CLASS_SLOTS; ++slot) {
    const uint64_t count = read(block.size_classes[slot]);
    sum.size_classes[slot] += count;
    sum.allocations += count;
  }
  sum.deallocations += read(block.deallocations);
  sum.reallocations += read(block.reallocations);
  sum.failed_allocations += read(block.failed_allocations);
  sum.allocated_bytes += read(block.allocated_bytes);
  sum.allocated_usable_bytes += read(block.allocated_usable_bytes);
  sum.deallocated_bytes += read(block.deallocated_bytes);
  sum.live_bytes = static_cast<int64_t>(sum.allocated_usable_bytes - sum.deallocated_bytes);
}

void add_process(allocgate_counters& sum, const allocgate_process_entry& process) {
  allocgate_counters own = {};
  for (const allocgate_block* block = block_at(__atomic_load_n(&process.first_block, __ATOMIC_ACQUIRE));
       block != nullptr; block = block_at(block->next)) {
    add_block(own, *block);
    add_block(sum, *block);
  }
  const int64_t published = __atomic_load_n(&process.peak_live_bytes, __ATOMIC_RELAXED);
  const int64_t peak = published > own.live_bytes ? published : own.live_bytes;
  sum.peak_live_bytes = sum.peak_live_bytes > peak ? sum.peak_live_bytes : peak;
}

}  // namespace allocgate::hooks
