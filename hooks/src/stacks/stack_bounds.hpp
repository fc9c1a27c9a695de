// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// How far a stack can be read outward. Nobody knows all stacks of a program (threads, signal stacks, coroutines), so
// the pages are asked about when a walk comes to them, and what was found is remembered for the stacks that are used in
// turn. One thread each.
#pragma once

#include <stdint.h>

#include "stacks/readable_memory.hpp"

namespace allocgate::hooks {

class StackBounds {
public:
  /* A walk begins, or goes on, on the stack that has `sp`. */
  void enter(uintptr_t sp) {
    if (__builtin_expect(sp - 8 - m_current.begin >= m_current.end - m_current.begin, 0)) {
      change_stack(sp - 8);
    }
  }

  /* As far as is known to be readable. */
  uintptr_t end() const { return m_current.end; }

  /* Whether a frame that has its registers below `sp`'s callee may end at `cfa`: the return address lies between them,
   * and can be read. */
  [[gnu::always_inline]] bool may_end_frame(uintptr_t sp, uintptr_t cfa) {
    return cfa >= sp + sizeof(uintptr_t) && (cfa <= m_current.end || reach(sp, cfa)) && cfa % sizeof(uintptr_t) == 0;
  }

  /* Whether the word is above sp and can be read. */
  [[gnu::always_inline]] bool is_within(uintptr_t sp, uintptr_t word) {
    return word >= sp && (word <= m_current.end - sizeof(uintptr_t) || reach(sp, word + sizeof(uintptr_t)));
  }

  /* Whether the word is below `sp`, where the kernel leaves what an interrupted function has just taken off: tables say
   * that registers are saved there until the function returns. */
  bool is_just_left(uintptr_t sp, uintptr_t word) const {
    constexpr uintptr_t k_red_zone = 128;
    return word < sp && sp - word <= k_red_zone && is_page_readable(word);
  }

  /* Whether both are on the stack that was last walked. */
  bool are_on_one_stack(uintptr_t one, uintptr_t other) const {
    return one - m_current.begin < m_current.end - m_current.begin &&
           other - m_current.begin < m_current.end - m_current.begin;
  }

  void forget() { *this = {}; }

private:
  struct Range {
    uintptr_t begin = 0;
    uintptr_t end = 0;
  };

  static constexpr unsigned k_remembered = 64;
  static constexpr unsigned k_remembered_shift = 14;

  Range& remembered(uintptr_t address) { return m_remembered[(address >> k_remembered_shift) % k_remembered]; }

  [[gnu::noinline]] void change_stack(uintptr_t address);
  [[gnu::noinline]] bool reach(uintptr_t sp, uintptr_t end);

  Range m_current;
  uintptr_t m_entered_at = 0;
  Range m_remembered[k_remembered];
};

}  // namespace allocgate::hooks
