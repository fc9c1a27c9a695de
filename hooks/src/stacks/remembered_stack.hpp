// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The last stack of a thread, and the new one found from it. Most allocations share all but their innermost frames with
// the one before, so a walk steps outward only until it meets the remembered stack, and then proves the rest.
//
// The proof. A frame's state is (pc, sp, bp). While the loaded modules stay the same, the states further out are a pure
// function of it and of the words of memory that a walk reads. If a new frame has the state of remembered frame j, and
// all words that were read from j outward still have their values, compared in the order of the walk, then a walk would
// read the same words and come to the same frames. Reading is safe for the same reason: a word is compared after those
// before it were found equal, so it is one that the walk would read. Interrupted frames have more registers than these
// three: at those no walk ever meets.
#pragma once

#include <stdint.h>

#include "stacks/frame_step.hpp"
#include "stacks/stack_tree.hpp"

namespace allocgate::hooks {

class RememberedStack {
public:
  /* The node of the stack whose innermost frame is this, which no signal interrupted; 0 when it is not known for lack
   * of memory. */
  uint32_t walk_outward(uintptr_t pc, uintptr_t sp, uintptr_t bp, NodeSource& source);

  /* Whether it is the same stack as the last time, and kept whole. */
  [[gnu::always_inline]] bool is_last(const FrameState& state) const {
    if (m_size == 0 || !is_met(m_room.frames[m_size - 1], state)) {
      return false;
    }
    const Frame& innermost = m_room.frames[m_size - 1];
    return __builtin_expect(find_changed_word(innermost.words) == k_all, 1) && innermost.node_and_flag != 0;
  }

  uint32_t last_node() const { return m_room.frames[m_size - 1].node_and_flag; }

  /* The next walk goes all the way. */
  void forget() { m_size = 0; }
  void forget_stacks() {
    m_size = 0;
    m_bounds.forget();
  }
  const StackBounds& bounds() const { return m_bounds; }

#ifdef ALLOCGATE_OBSERVE_STACKS
  /* For the comparison with another unwinder: the frames of the last walk, innermost first. */
  uint32_t size() const {
    return m_size;
  }
  uintptr_t return_address(uint32_t index) const {
    return state_of(m_size - 1 - index).pc;
  }
#endif

private:
  /* In half a cache line. The state's pc is that of the place, plus one where it is a return address. */
  struct Frame {
    uint64_t place;
    uintptr_t sp;
    uintptr_t bp;
    uint32_t node_and_flag;  // of the stack from this frame outward; 0 when it is too deep to be kept whole
    uint32_t words;          // read by the walk from this frame to the outermost; of a new one, before it

    uint32_t node() const { return node_and_flag & ~k_interrupted; }
    bool is_interrupted() const { return (node_and_flag & k_interrupted) != 0; }
  };
  static constexpr uint32_t k_interrupted = 1u << 31;

  /* Outermost first, so that new inner frames overwrite the end; the new ones innermost first. */
  struct Room {
    Frame* frames = nullptr;
    ReadWord* words = nullptr;
    Frame* new_frames = nullptr;
    ReadWord* new_words = nullptr;
    uint32_t capacity = 0;  // of frames; there are k_words_a_frame words for each
  };

  /* A walk under way. */
  struct Walk {
    FrameState state;
    uint32_t new_frames = 0;
    WordList words;
  };

  static constexpr uint32_t k_words_a_frame = 4;
  static constexpr uint32_t k_first_capacity = 256;
  static constexpr uint32_t k_most_frames = 1u << 17;
  static constexpr uint32_t k_all = ~0u;

  [[gnu::always_inline]] uint32_t first_word_of(uint32_t index) const {
    return index == 0 ? 0 : m_room.frames[index - 1].words;
  }

  /* The last byte of a call is never the first of an interrupted instruction, so that places are enough. */
  [[gnu::always_inline]] static bool is_met(const Frame& frame, const FrameState& state) {
    return frame.sp == state.sp && ((frame.place ^ (state.pc - 1)) << (64 - k_address_bits)) == 0 &&
           frame.bp == state.bp && state.context == 0;
  }

  /* Of the first `count` words the last one, the first in the order of the walk, that has another value now. */
  [[gnu::always_inline]] uint32_t find_changed_word(uint32_t count) const {
    const ReadWord* const words = m_room.words;
    const ReadWord* word = words + count;
    for (; word - words >= 4; word -= 4) {
      if (__builtin_expect(!is_same(word[-1]), 0)) {
        return static_cast<uint32_t>(word - words) - 1;
      }
      if (__builtin_expect(!is_same(word[-2]), 0)) {
        return static_cast<uint32_t>(word - words) - 2;
      }
      if (__builtin_expect(!is_same(word[-3]), 0)) {
        return static_cast<uint32_t>(word - words) - 3;
      }
      if (__builtin_expect(!is_same(word[-4]), 0)) {
        return static_cast<uint32_t>(word - words) - 4;
      }
    }
    while (word != words) {
      --word;
      if (__builtin_expect(!is_same(*word), 0)) {
        return static_cast<uint32_t>(word - words);
      }
    }
    return k_all;
  }

  [[gnu::always_inline]] static bool is_same(const ReadWord& word) {
    return *static_cast<const volatile uintptr_t*>(word.address) == word.value;
  }

  void step_quickly(Walk& walk, RuleReader& rules, uint32_t& candidates);
  uint32_t frame_that_read(uint32_t word, uint32_t index) const;
  FrameState state_of(uint32_t index) const;
  bool go_on_from(Walk& walk, uint32_t met, uint32_t changed);
  bool make_room(uint32_t frames, Walk* walk);
  uint32_t remember(Walk& walk, uint32_t kept, uint32_t root, NodeSource& source);
  uint32_t node_of_deep_stack(NodeSource& source) const;
  uint32_t node_of_cut_stack(const Walk& walk, NodeSource& source) const;

  Room m_room;
  uint32_t m_size = 0;
  StackBounds m_bounds;
};

/* What a walk needs that was not expected: in a signal handler that interrupted another of the same thread. It has no
 * memory of the stack before. */
class NestedWalk {
public:
  /* The node of the stack whose innermost frame is `state`; 0 when it is not known. */
  uint32_t walk(FrameState state, NodeSource& source);

private:
  static constexpr uint32_t k_most_frames = ALLOCGATE_STACKS_OUTER_FRAMES + ALLOCGATE_STACKS_INNER_FRAMES;

  StackBounds m_bounds;
  uint64_t m_places[k_most_frames];
};

}  // namespace allocgate::hooks
