// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/stack_bounds.hpp"

namespace allocgate::hooks {

void StackBounds::change_stack(uintptr_t address) {
  // A stack that has grown down a little is the same one.
  constexpr uintptr_t k_grown = uintptr_t{64} << 10;
  if (address < m_current.begin && m_current.begin - address <= k_grown && is_readable(address, m_current.begin)) {
    m_current.begin = page_of(address);
    return;
  }
  if (m_current.end != 0) {
    remembered(m_entered_at) = m_current;
  }
  m_entered_at = address;
  const Range& known = remembered(address);
  const bool is_known = address - known.begin < known.end - known.begin;
  m_current = is_known ? known : Range{page_of(address), page_of(address) + k_page_bytes};
}

bool StackBounds::reach(uintptr_t sp, uintptr_t end) {
  // More than a frame can have: a stack that leads there is none.
  constexpr uintptr_t k_largest_frame = uintptr_t{64} << 20;
  if (end - sp > k_largest_frame || end < sp) {
    return false;
  }
  if (!is_readable(m_current.end, end)) {
    return false;
  }
  m_current.end = page_of(end - 1) + k_page_bytes;
  return true;
}

}  // namespace allocgate::hooks
