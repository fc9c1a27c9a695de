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

namespace allocgate::hooks {

class StackRecorder {
public:
  /* Counts an allocation of `size` bytes for the stack whose innermost frame is `state`. False when it could not: then
   * it has no stack. */
  bool record(const FrameState& state, size_t size);

  /* Records nothing from now on: for the threads that found no memory for one of their own. */
  void refuse() { m_depth = k_nested + 1; }

  /* Another thread writes here from now on. */
  void pass_on();

  /* Whether it was interrupted in the middle of something. */
  bool is_busy() const { return m_depth != 0; }

private:
  struct Nested {
    NestedWalk walk;
    NodeSource source;
    StackCounts counts;
  };

  static constexpr uint32_t k_nested = 2;

  bool record_first(const FrameState& state, size_t size, uint32_t process);
  static bool record_nested(Nested& nested, const FrameState& state, size_t size, uint32_t process);
  void drop_abandoned(uintptr_t sp);

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

#ifdef ALLOCGATE_OBSERVE_STACKS
/* Defined by the test that compares each stack with another unwinder's. */
void observe_stack(const RememberedStack& stack);
#endif

}  // namespace allocgate::hooks
