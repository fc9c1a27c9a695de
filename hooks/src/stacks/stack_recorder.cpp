// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/stack_recorder.hpp"

#include "thread_state.hpp"

namespace allocgate::hooks {

// A fork inside of this (from a signal handler that interrupts it) left the event to the parent: in the child, whose
// key is another, it is dropped.

bool StackRecorder::record(const FrameState& state, size_t size) {
  if (__builtin_expect(m_depth != 0, 0)) {
    drop_abandoned(state.sp);
  }
  const uint32_t depth = m_depth;
  if (__builtin_expect(depth > k_nested, 0)) {
    return false;
  }
  const uint32_t process = process_key();
  m_active[depth] = {state.sp, size, false};
  asm volatile("" ::: "memory");
  m_depth = depth + 1;
  asm volatile("" ::: "memory");
  const bool is_counted = __builtin_expect(depth == 0, 1) ? record_first(state, size, process)
                                                          : record_nested(m_nested[depth - 1], state, size, process);
  m_active[depth].is_counted = true;
  asm volatile("" ::: "memory");
  m_depth = depth;
  return is_counted;
}

bool StackRecorder::record_first(const FrameState& state, size_t size, uint32_t process) {
  const uint32_t generation = rule_generation();
  if (__builtin_expect(m_generation != generation, 0)) {
    m_stack.forget();
    m_generation = generation;
  }
  const uint32_t node = m_stack.walk(state, m_source);
  if (__builtin_expect(process_key() != process, 0)) {
    return true;
  }
#ifdef ALLOCGATE_OBSERVE_STACKS
  observe_stack(m_stack);
#endif
  return node != 0 && m_counts.add_event(node, size, true);
}

bool StackRecorder::record_nested(Nested& nested, const FrameState& state, size_t size, uint32_t process) {
  const uint32_t node = nested.walk.walk(state, nested.source);
  if (process_key() != process) {
    return true;
  }
  return node != 0 && nested.counts.add_event(node, size, false);
}

/* A handler that interrupted this left it by a jump, or an exception: the frame that was at work is gone once the stack
 * is back where that frame was called, or further out. Until then the calls are taken for a handler's. */
void StackRecorder::drop_abandoned(uintptr_t sp) {
  while (m_depth != 0 && m_depth <= k_nested + 1 && m_active[m_depth - 1].sp != 0) {
    const Active& active = m_active[m_depth - 1];
    if (sp < active.sp || !m_stack.bounds().are_on_one_stack(sp - 8, active.sp - 8)) {
      return;
    }
    if (!active.is_counted) {
      count_unattributed(static_cast<uint32_t>(size_class_slot(active.size)), 1, active.size);
    }
    m_depth -= 1;
    if (m_depth == 0) {
      m_stack.forget();
    }
  }
}

void StackRecorder::pass_on() {
  m_depth = 0;
  m_stack.forget_stacks();
}

}  // namespace allocgate::hooks
