// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// What one thread needs to record stacks. It belongs to the thread's block of the hook record, and goes with it from a
// thread that is gone to the next. A signal handler that interrupts it records too, with means of its own.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stacks/remembered_stack.hpp"
#include "stacks/stack_counts.hpp"
#include "stacks/stack_tree.hpp"
#include "thread_state.hpp"

namespace allocgate::hooks {

#ifdef ALLOCGATE_OBSERVE_STACKS
/* Defined by the test that compares each stack with another unwinder's. */
void observe_stack(const RememberedStack& stack);
#endif

class StackRecorder {
public:
  /* Counts an allocation of `size` bytes for the stack whose innermost frame is `state`. False when it could not: then
   * it has no stack. */
  [[gnu::always_inline]] bool record(const FrameState& state, size_t size) {
    if (__builtin_expect(m_depth != 0, 0)) {
      return record_nested(state, size);
    }
    const uint32_t process = process_key();
    begin(0, state.sp, size);
    const uint32_t generation = rule_generation();
    if (__builtin_expect(m_generation != generation, 0)) {
      m_stack.forget();
      m_generation = generation;
    }
    const uint32_t node = m_stack.walk(state, m_source);
#ifdef ALLOCGATE_OBSERVE_STACKS
    observe_stack(m_stack);
#endif
    // A fork inside of this (from a signal handler) left the event to the parent: in the child, whose key is another,
    // it is dropped.
    const bool is_ours = process_key() == process;
    const bool is_counted = !is_ours || (node != 0 && m_counts.add_event(node, size, true));
    end(0);
    return is_counted;
  }

  /* Records nothing from now on: for the threads that found no memory for one of their own. */
  void refuse() {
    m_depth = k_nested + 1;
  }

  /* Another thread writes here from now on. */
  void pass_on();

  /* Whether it was interrupted in the middle of something. */
  bool is_busy() const {
    return m_depth != 0;
  }

private:
  struct Nested {
    NestedWalk walk;
    NodeSource source;
    StackCounts counts;
  };

  static constexpr uint32_t k_nested = 2;

  bool record_nested(const FrameState& state, size_t size);
  static bool count_nested(Nested& nested, const FrameState& state, size_t size, uint32_t process);
  void drop_abandoned(uintptr_t sp);

  void begin(uint32_t depth, uintptr_t sp, size_t size) {
    m_active[depth].sp = sp;
    m_active[depth].size = size;
    m_active[depth].is_counted = false;
    asm volatile("" ::: "memory");
    m_depth = depth + 1;
    asm volatile("" ::: "memory");
  }
  void end(uint32_t depth) {
    m_active[depth].is_counted = true;
    asm volatile("" ::: "memory");
    m_depth = depth;
  }

  struct Active {
    uintptr_t sp;
    size_t size;
    bool is_counted;
  };

  uint32_t m_depth;  // of calls under way
  uint32_t m_generation;
  Active m_active[k_nested + 1];
  RememberedStack m_stack;
  NodeSource m_source;
  StackCounts m_counts;
  Nested m_nested[k_nested];
};

}  // namespace allocgate::hooks
