// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Whether memory can be read without a fault, asked of the kernel page by page; /proc may be missing or out of reach,
// and takes longer the more threads there are. Any thread, any signal handler.
#pragma once

#include <stdint.h>

#include "system_calls.hpp"

namespace allocgate::hooks {

constexpr uintptr_t k_page_bytes = 4096;

inline uintptr_t page_of(uintptr_t address) {
  return address & ~(k_page_bytes - 1);
}

/* The kernel copies the set before it looks at the rest of the call, which is no valid one and changes nothing. */
inline bool is_page_readable(uintptr_t address) {
  constexpr long k_no_such_way = -1;
  constexpr long k_set_bytes = 8;
  return system_call(SYS_rt_sigprocmask, k_no_such_way, static_cast<long>(page_of(address)), 0, k_set_bytes) != -EFAULT;
}

/* Whether all pages from that of `from` up to before `to` are. */
inline bool is_readable(uintptr_t from, uintptr_t to) {
  for (uintptr_t page = page_of(from); page < to; page += k_page_bytes) {
    if (!is_page_readable(page)) {
      return false;
    }
  }
  return true;
}

}  // namespace allocgate::hooks
