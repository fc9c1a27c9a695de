// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/stack_recorder.hpp"

#include "stacks/block_table.hpp"

namespace allocgate::hooks {

bool StackRecorder::record_nested(const FrameState& state, const RecordedBlock& block) {
  drop_abandoned(state.sp);
  const uint32_t depth = m_depth;
  if (depth == 0) {
    return record(state, block);
  }
  if (depth > k_nested) {
    return false;
  }
  const uint32_t process = process_key();
  begin(depth, state.sp, block.size, block.usable);
  const bool is_counted = count_nested(m_nested[depth - 1], state, block, process);
  end(depth);
  return is_counted;
}

bool StackRecorder::count_nested(Nested& nested, const FrameState& state, const RecordedBlock& block,
                                 uint32_t process) {
  const bool is_sampled = is_sample(block.size);
  const uint32_t node = is_sampled ? nested.walk.walk(state, nested.source) : uint32_t{ALLOCGATE_ROOT_NOT_SAMPLED};
  if (process_key() != process) {
    return true;
  }
  const bool is_counted = node != 0 && nested.counts.add_event(node, block.size, false) != nullptr;
  if (g_recording.follows_blocks && is_counted) {
    follow(nested.lives, node, block, false);
  }
  return is_counted;
}

/* Every so many bytes: the same program takes the same samples. A block that is larger is one itself. */
bool StackRecorder::is_next_sample(size_t size) {
  const uint64_t every = g_recording.sample_bytes;
  m_bytes_to_sample += size;
  if (m_bytes_to_sample < every) {
    return false;
  }
  m_bytes_to_sample %= every;
  return true;
}

void StackRecorder::follow(StackLives& lives, uint32_t node, const RecordedBlock& block, bool may_wait) {
  m_last_block = block.address;
  const uint32_t place = lives.find_or_make(node, m_number, may_wait);
  if (place != 0 && BlockTable::put(block.address, place)) {
    StackLives::add_block(place, block.usable);
  } else {
    count_unattributed_usable_bytes(block.usable);
    flag_section(ALLOCGATE_STACKS_TRUNCATED);
  }
}

void StackRecorder::record_deallocation(uint32_t place, const void* block, size_t usable) {
  if (place != 0) {
    StackLives::remove_block(place, usable, m_number, block == m_last_block);
  } else {
    count_unattributed_deallocations(1, usable);
  }
}

/* A handler that interrupted this left it by a jump, or an exception: the frame that was at work is gone once the stack
 * is back where that frame was called, or further out. Until then the calls are taken for a handler's. */
void StackRecorder::drop_abandoned(uintptr_t sp) {
  while (m_depth != 0 && m_depth <= k_nested + 1 && m_active[m_depth - 1].sp != 0) {
    const Active& active = m_active[m_depth - 1];
    if (sp < active.sp || !m_stack.bounds().are_on_one_stack(sp - 8, active.sp - 8)) {
      return;
    }
    count_without_stack({nullptr, active.size, active.usable});
    m_depth -= 1;
    if (m_depth == 0) {
      m_stack.forget();
    }
  }
}

void StackRecorder::pass_on() {
  m_depth = 0;
  m_last_block = nullptr;
  m_stack.forget_stacks();
}

}  // namespace allocgate::hooks
