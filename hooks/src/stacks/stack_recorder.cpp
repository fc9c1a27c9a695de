// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/stack_recorder.hpp"

namespace allocgate::hooks {

bool StackRecorder::record_nested(const FrameState& state, size_t size) {
  drop_abandoned(state.sp);
  const uint32_t depth = m_depth;
  if (depth == 0) {
    return record(state, size);
  }
  if (depth > k_nested) {
    return false;
  }
  const uint32_t process = process_key();
  begin(depth, state.sp, size);
  const bool is_counted = count_nested(m_nested[depth - 1], state, size, process);
  end(depth);
  return is_counted;
}

bool StackRecorder::count_nested(Nested& nested, const FrameState& state, size_t size, uint32_t process) {
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
