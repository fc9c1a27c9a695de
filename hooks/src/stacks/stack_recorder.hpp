// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// What one thread needs to record stacks. It belongs to the thread's block of the hook record, and goes with it from a
// thread that is gone to the next. A signal handler that interrupts it records too, with means of its own.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stacks/recording.hpp"
#include "stacks/remembered_stack.hpp"
#include "stacks/stack_counts.hpp"
#include "stacks/stack_lives.hpp"
#include "stacks/stack_tree.hpp"
#include "thread_state.hpp"

namespace allocgate::hooks {

#ifdef ALLOCGATE_OBSERVE_STACKS
/* Defined by the test that compares each stack with another unwinder's. */
void observe_stack(const RememberedStack& stack);
#endif

class StackRecorder {
public:
  /* Counts an allocation for the stack whose innermost frame is `state`. False when it could not: then it has no
   * stack. */
  [[gnu::always_inline]] bool record(const FrameState& state, const RecordedBlock& block) {
    if (__builtin_expect(m_depth != 0, 0)) {
      return record_nested(state, block);
    }
    const uint32_t process = process_key();
    begin(0, state.sp, block.size, block.usable);
    return record_begun<true>(state, block, process);
  }

  /* The same in fewer instructions for an allocation by the stack, and of the size class, of the one before. Where it
   * is another it does nothing, and says so; but for a signal handler that interrupts it nothing else may be on. */
  enum class Again : uint8_t { counted, other, busy };
  [[gnu::always_inline]] Again record_again(const FrameState& state, size_t size, uint32_t process) {
    if (__builtin_expect(m_depth != 0, 0)) {
      return Again::busy;
    }
    begin(0, state.sp, size, 0);
    if (__builtin_expect(m_generation != rule_generation(), 0) || !m_stack.is_last(state) ||
        size_class_slot(size) != m_last_class || process_key() != process) {
      return Again::other;
    }
#ifdef ALLOCGATE_OBSERVE_STACKS
    observe_stack(m_stack);
#endif
    increment(m_last_count->allocations);
    add(m_last_count->bytes, size);
    end(0);
    return Again::counted;
  }

  /* What is left to do after Again::other. */
  bool record_other(const FrameState& state, size_t size, uint32_t process) {
    return record_begun<false>(state, {nullptr, size, 0}, process);
  }

  /* An allocation of this thread that is not recorded came in between. */
  void note_allocation(const void* block) {
    m_last_block = block;
  }

  /* This thread frees a block of `usable` bytes that had its entry at `place`; 0: it has none. */
  void record_deallocation(uint32_t place, const void* block, size_t usable);

  /* To be called once: `number` is that of the thread's block, plus 1. */
  void start(uint32_t number) {
    m_number = number;
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
    StackLives lives;
  };

  static constexpr uint32_t k_nested = 2;

  template <bool may_be_last>
  [[gnu::always_inline]] bool record_begun(const FrameState& state, const RecordedBlock& block, uint32_t process) {
    const uint32_t node = is_sample(block.size) ? walk<may_be_last>(state) : uint32_t{ALLOCGATE_ROOT_NOT_SAMPLED};
    // A fork inside of this (from a signal handler) left the event to the parent: in the child, whose key is another,
    // it is dropped.
    const bool is_ours = process_key() == process;
    bool is_counted = !is_ours;
    if (__builtin_expect(is_ours && node != 0, 1)) {
      m_last_count = m_counts.add_event(node, block.size, true);
      m_last_class = static_cast<uint32_t>(size_class_slot(block.size));
      is_counted = m_last_count != nullptr;
    }
    if (__builtin_expect(!is_counted, 0)) {
      m_stack.forget();  // its last count is not there
    } else if (__builtin_expect(g_recording.follows_blocks, 0) && is_ours) {
      follow(m_lives, node, block, true);
    }
    end(0);
    return is_counted;
  }

  template <bool may_be_last>
  [[gnu::always_inline]] uint32_t walk(const FrameState& state) {
    const uint32_t generation = rule_generation();
    if (__builtin_expect(m_generation != generation, 0)) {
      m_stack.forget();
      m_generation = generation;
    }
    const uint32_t node = may_be_last && m_stack.is_last(state)
                              ? m_stack.last_node()
                              : m_stack.walk_outward(state.pc, state.sp, state.bp, m_source);
#ifdef ALLOCGATE_OBSERVE_STACKS
    observe_stack(m_stack);
#endif
    return node;
  }

  /* Whether an allocation of this size is one of which the stack is taken. */
  [[gnu::always_inline]] bool is_sample(size_t size) {
    return __builtin_expect(g_recording.sample_bytes == 0, 1) || is_next_sample(size);
  }
  bool is_next_sample(size_t size);

  void follow(StackLives& lives, uint32_t node, const RecordedBlock& block, bool may_wait);
  bool record_nested(const FrameState& state, const RecordedBlock& block);
  bool count_nested(Nested& nested, const FrameState& state, const RecordedBlock& block, uint32_t process);
  void drop_abandoned(uintptr_t sp);

  void begin(uint32_t depth, uintptr_t sp, size_t size, size_t usable) {
    m_active[depth].sp = sp;
    m_active[depth].size = size;
    m_active[depth].usable = usable;
    asm volatile("" ::: "memory");
    m_depth = depth + 1;
    asm volatile("" ::: "memory");
  }
  void end(uint32_t depth) {
    asm volatile("" ::: "memory");
    m_depth = depth;
  }

  struct Active {
    uintptr_t sp;
    size_t size;
    size_t usable;
  };

  uint32_t m_depth;  // of calls under way
  uint32_t m_generation;
  Active m_active[k_nested + 1];
  uint32_t m_last_class;                // of the last event that was recorded here
  allocgate_stack_count* m_last_count;  // and where it was: of the stack that m_stack remembers
  RememberedStack m_stack;
  NodeSource m_source;
  StackCounts m_counts;
  StackLives m_lives;
  const void* m_last_block;  // that this thread allocated
  uint32_t m_number;         // of its block in the hook record, plus 1
  uint64_t m_bytes_to_sample;
  Nested m_nested[k_nested];
};

}  // namespace allocgate::hooks
