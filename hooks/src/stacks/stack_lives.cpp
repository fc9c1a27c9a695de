// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/stack_lives.hpp"

namespace allocgate::hooks {

uint32_t StackLives::make(uint32_t node, uint32_t owner, bool may_wait) {
  if (!m_index.has_room()) {
    return 0;
  }
  constexpr auto k_bytes = static_cast<uint32_t>(sizeof(allocgate_stack_live));
  const EntrySource::Made made = m_source.take(ALLOCGATE_STACKS_LIVE, k_bytes, k_bytes, may_wait);
  if (made.address == nullptr) {
    return 0;
  }
  auto& life = *reinterpret_cast<allocgate_stack_live*>(made.address);
  life.owner = owner;
  __atomic_store_n(&life.node, node, __ATOMIC_RELEASE);
  m_index.insert(node, made.place);
  return made.place;
}

/* A signal handler may have raised it meanwhile. */
void StackLives::raise_peak(allocgate_stack_live& life, int64_t live) {
  int64_t peak = life.peak_live_bytes;
  while (live > peak &&
         !__atomic_compare_exchange_n(&life.peak_live_bytes, &peak, live, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

}  // namespace allocgate::hooks
