// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "live_bytes.hpp"

#include "process_state.hpp"

namespace allocgate::hooks {
namespace {

constexpr int64_t k_published_every = 4096;

void set_thresholds(allocgate_block& block, const allocgate_process_entry& process) {
  const uint32_t threads = __atomic_load_n(&process_state().threads, __ATOMIC_SEQ_CST);
  if (threads <= 1) {
    const int64_t peak = __atomic_load_n(&process.peak_live_bytes, __ATOMIC_RELAXED);
    const int64_t live = __atomic_load_n(&process.live_bytes, __ATOMIC_RELAXED);
    __atomic_store_n(&block.publish_above, peak - live, __ATOMIC_SEQ_CST);
    __atomic_store_n(&block.publish_below, INT64_MIN, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&process_state().threads, __ATOMIC_SEQ_CST) <= 1) {
      return;
    }
    // A second thread came in between, and may have set the thresholds that were just overwritten.
  }
  __atomic_store_n(&block.publish_above, k_published_every, __ATOMIC_SEQ_CST);
  __atomic_store_n(&block.publish_below, -k_published_every, __ATOMIC_SEQ_CST);
}

void raise_peak(allocgate_process_entry& process, int64_t live) {
  int64_t peak = __atomic_load_n(&process.peak_live_bytes, __ATOMIC_RELAXED);
  while (live > peak && !__atomic_compare_exchange_n(&process.peak_live_bytes, &peak, live, true, __ATOMIC_RELAXED,
                                                     __ATOMIC_RELAXED)) {
  }
}

}  // namespace

void publish_live_bytes(allocgate_block& block) {
  allocgate_process_entry& process = *process_state().entry;
  const int64_t drift = __atomic_exchange_n(&block.unpublished_live_bytes, 0, __ATOMIC_RELAXED);
  raise_peak(process, __atomic_add_fetch(&process.live_bytes, drift, __ATOMIC_RELAXED));
  set_thresholds(block, process);
}

void publish_drift_of_all_threads(const allocgate_process_entry& process) {
  for (allocgate_block* block = block_at(__atomic_load_n(&process.first_block, __ATOMIC_ACQUIRE)); block != nullptr;
       block = block_at(block->next)) {
    __atomic_store_n(&block->publish_above, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&block->publish_below, 0, __ATOMIC_SEQ_CST);
  }
}

void reset_peak_live_bytes() {
  allocgate_block& block = *block_of_this_thread();
  if (!counts_usable_sizes() || process_state().entry == nullptr) {
    return;
  }
  publish_live_bytes(block);
  allocgate_process_entry& process = *process_state().entry;
  __atomic_store_n(&process.peak_live_bytes, __atomic_load_n(&process.live_bytes, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  publish_live_bytes(block);
}

void raise_peak_live_bytes(int64_t at_least) {
  allocgate_block& block = *block_of_this_thread();
  if (!counts_usable_sizes() || process_state().entry == nullptr) {
    return;
  }
  raise_peak(*process_state().entry, at_least);
  publish_live_bytes(block);
}

}  // namespace allocgate::hooks
