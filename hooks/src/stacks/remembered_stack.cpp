// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/remembered_stack.hpp"

#include "stacks/private_memory.hpp"

namespace allocgate::hooks {
namespace {

constexpr uint32_t k_kept_frames = ALLOCGATE_STACKS_OUTER_FRAMES + ALLOCGATE_STACKS_INNER_FRAMES;
constexpr uint64_t k_address = (uint64_t{1} << k_address_bits) - 1;

}  // namespace

/*
 * Steps as long as nothing but the two common rules is needed, the rules are known, and no remembered frame is met.
 * What step() does, with everything in registers; what does not hold is left to it, as if nothing had been tried.
 */
[[gnu::always_inline]] inline void RememberedStack::step_quickly(Walk& walk, RuleReader& rules, uint32_t& candidates) {
  uintptr_t pc = walk.state.pc;
  uintptr_t sp = walk.state.sp;
  uintptr_t bp = walk.state.bp;
  const Frame* const first = m_room.frames;
  const Frame* candidate = first + candidates;
  Frame* to = m_room.new_frames + walk.new_frames;
  Frame* const end = m_room.new_frames + m_room.capacity;
  ReadWord* const words = m_room.new_words;
  uint32_t word_count = walk.words.count();
  const uintptr_t stack_end = m_bounds.end();
  RuleReader reader = rules;
  for (; to != end; ++to) {
    while (candidate != first && candidate[-1].sp < sp) {
      --candidate;
    }
    if (candidate != first && candidate[-1].sp == sp && is_met(candidate[-1], {pc, sp, bp, 0})) {
      break;
    }
    uint64_t place;
    const UnwindRule rule = reader.find_quickly(pc - 1, place);
    uintptr_t cfa = static_cast<uintptr_t>(intptr_t{rule.cfa});
    if (__builtin_expect(rule.kind == RuleKind::from_sp, 1)) {
      cfa += sp;
    } else if (__builtin_expect(rule.kind == RuleKind::from_bp, 1)) {
      cfa += bp;
    } else {
      break;
    }
    if (__builtin_expect(cfa <= sp || cfa > stack_end || cfa % sizeof(uintptr_t) != 0, 0)) {
      break;
    }
    uintptr_t caller_bp = bp;
    uint32_t read = word_count;
    if (rule.bp != k_bp_unchanged) {
      const uintptr_t slot = cfa + static_cast<uintptr_t>(8 * intptr_t{rule.bp});
      if (__builtin_expect(slot < sp || slot > stack_end - sizeof(uintptr_t), 0)) {
        break;
      }
      const auto* saved = reinterpret_cast<const uintptr_t*>(slot);
      caller_bp = *static_cast<const volatile uintptr_t*>(saved);
      words[read++] = {saved, caller_bp};
    }
    const auto* return_slot = reinterpret_cast<const uintptr_t*>(cfa) - 1;
    const uintptr_t caller_pc = *static_cast<const volatile uintptr_t*>(return_slot);
    if (__builtin_expect(caller_pc - 1 >= (uintptr_t{1} << k_address_bits) - 1, 0)) {
      break;
    }
    words[read++] = {return_slot, caller_pc};
    *to = {place, sp, bp, 0, word_count};
    word_count = read;
    pc = caller_pc;
    sp = cfa;
    bp = caller_bp;
  }
  rules = reader;
  walk.state = {pc, sp, bp, 0};
  walk.words.set_count(word_count);
  walk.new_frames = static_cast<uint32_t>(to - m_room.new_frames);
  candidates = static_cast<uint32_t>(candidate - first);
}

uint32_t RememberedStack::walk_outward(uintptr_t pc, uintptr_t sp, uintptr_t bp, NodeSource& source) {
  if (m_room.capacity == 0 && !make_room(k_first_capacity, nullptr)) {
    return 0;
  }
  m_bounds.enter(sp);
  RuleReader rules;
  Walk walk{{pc, sp, bp, 0}, 0, WordList(m_room.new_words)};
  uint32_t candidates = m_size;
  for (;;) {
    if (!walk.state.is_interrupted()) {
      step_quickly(walk, rules, candidates);
    }
    while (candidates > 0 && m_room.frames[candidates - 1].sp < walk.state.sp) {
      --candidates;
    }
    if (candidates > 0 && is_met(m_room.frames[candidates - 1], walk.state)) {
      const uint32_t word = find_changed_word(m_room.frames[candidates - 1].words);
      if (__builtin_expect(word == k_all, 1)) {
        return remember(walk, candidates, m_room.frames[candidates - 1].node(), source);
      }
      const uint32_t changed = frame_that_read(word, candidates - 1);
      if (!go_on_from(walk, candidates - 1, changed)) {
        return node_of_cut_stack(walk, source);
      }
      candidates = changed;
    }
    if (__builtin_expect(walk.new_frames == m_room.capacity, 0) && !make_room(walk.new_frames + 1, &walk)) {
      return node_of_cut_stack(walk, source);
    }
    Frame& frame = m_room.new_frames[walk.new_frames];
    frame.sp = walk.state.sp;
    frame.bp = walk.state.bp;
    frame.node_and_flag = walk.state.is_interrupted() ? k_interrupted : 0;
    frame.words = walk.words.count();
    const StepResult result = step(walk.state, frame.place, rules, m_bounds, walk.words);
    walk.new_frames += 1;
    if (__builtin_expect(result != StepResult::stepped, 0)) {
      if (result == StepResult::refused) {
        m_size = 0;
        return 0;
      }
      return remember(walk, 0, static_cast<uint32_t>(result), source);
    }
  }
}

/* Which frame, from `index` outward, read that word: what is further out than it is not proven. */
uint32_t RememberedStack::frame_that_read(uint32_t word, uint32_t index) const {
  while (first_word_of(index) > word) {
    --index;
  }
  return index;
}

/* An interrupted frame is further out than the signal frame that has its registers. */
FrameState RememberedStack::state_of(uint32_t index) const {
  const Frame& frame = m_room.frames[index];
  const uintptr_t at = frame.place & k_address;
  return frame.is_interrupted() ? FrameState{at, frame.sp, frame.bp, m_room.frames[index + 1].sp}
                                : FrameState{at + 1, frame.sp, frame.bp, 0};
}

/* The frames from the one that was met up to before the changed one stand, but under other frames further out: they are
 * taken over as new, and the walk goes on with the changed one. */
bool RememberedStack::go_on_from(Walk& walk, uint32_t met, uint32_t changed) {
  if (!make_room(walk.new_frames + (met - changed) + 1, &walk)) {
    return false;
  }
  for (uint32_t index = met; index > changed; --index) {
    const Frame& frame = m_room.frames[index];
    Frame& taken = m_room.new_frames[walk.new_frames];
    taken = frame;
    taken.node_and_flag &= k_interrupted;
    taken.words = walk.words.count();
    for (uint32_t word = frame.words; word > first_word_of(index); --word) {
      walk.words.add(m_room.words[word - 1]);
    }
    walk.new_frames += 1;
  }
  walk.state = state_of(changed);
  m_bounds.enter(walk.state.sp);
  return true;
}

/* Room for that many frames, without losing any; false when it cannot be had. */
bool RememberedStack::make_room(uint32_t frames, Walk* walk) {
  if (frames <= m_room.capacity) {
    return true;
  }
  uint32_t capacity = k_first_capacity;
  while (capacity < frames) {
    capacity *= 2;
  }
  if (capacity > k_most_frames) {
    return false;
  }
  constexpr size_t k_a_frame = 2 * sizeof(Frame) + 2 * k_words_a_frame * sizeof(ReadWord);
  char* memory = take_memory<char>(capacity * k_a_frame);
  if (memory == nullptr) {
    flag_section(ALLOCGATE_STACKS_TRUNCATED);
    return false;
  }
  const Room old = m_room;
  Room room;
  room.capacity = capacity;
  room.words = reinterpret_cast<ReadWord*>(memory);
  room.new_words = room.words + size_t{k_words_a_frame} * capacity;
  room.frames = reinterpret_cast<Frame*>(room.new_words + size_t{k_words_a_frame} * capacity);
  room.new_frames = room.frames + capacity;
  const uint32_t words = m_size == 0 ? 0 : old.frames[m_size - 1].words;
  for (uint32_t i = 0; i < m_size; ++i) {
    room.frames[i] = old.frames[i];
  }
  for (uint32_t i = 0; i < words; ++i) {
    room.words[i] = old.words[i];
  }
  if (walk != nullptr) {
    for (uint32_t i = 0; i < walk->new_frames; ++i) {
      room.new_frames[i] = old.new_frames[i];
    }
    for (uint32_t i = 0; i < walk->words.count(); ++i) {
      room.new_words[i] = old.new_words[i];
    }
    walk->words.move_to(room.new_words);
  }
  m_room = room;
  give_memory_back(reinterpret_cast<char*>(old.words), old.capacity * k_a_frame);
  return true;
}

/* The stack is now the outermost `kept` frames of the remembered one and the new ones; `outward` is the node, or the
 * root, that these hang from. Returns the node of the whole. */
uint32_t RememberedStack::remember(Walk& walk, uint32_t kept, uint32_t outward, NodeSource& source) {
  m_size = kept;
  const bool has_room = make_room(kept + walk.new_frames, &walk);
  // Until all is written: what is interrupted here and never finished must not be met again.
  m_size = 0;
  if (!has_room) {
    return node_of_cut_stack(walk, source);
  }
  const uint32_t words = first_word_of(kept) + walk.words.count();
  const ReadWord* read = m_room.new_words + walk.words.count();
  for (ReadWord* word = m_room.words + first_word_of(kept); read != m_room.new_words; ++word) {
    *word = *--read;
  }
  TreePlace at = StackTree::place_of(outward);
  const Frame* const innermost = m_room.new_frames;
  const Frame* frame = innermost + walk.new_frames;
  Frame* to = m_room.frames + kept;
  Frame* const whole_end = m_room.frames + k_kept_frames;
  for (; frame != innermost && to < whole_end; ++to) {
    --frame;
    if (__builtin_expect(!StackTree::go_inward(at, frame->place, source, true), 0)) {
      return 0;
    }
    *to = {frame->place, frame->sp, frame->bp, frame->node_and_flag | at.node, words - frame->words};
  }
  const bool is_whole = frame == innermost && at.node != 0;
  for (; frame != innermost; ++to) {
    --frame;
    *to = {frame->place, frame->sp, frame->bp, frame->node_and_flag, words - frame->words};
  }
  m_size = static_cast<uint32_t>(to - m_room.frames);
  return __builtin_expect(is_whole, 1) ? at.node : node_of_deep_stack(source);
}

uint32_t RememberedStack::node_of_deep_stack(NodeSource& source) const {
  uint32_t node = m_room.frames[ALLOCGATE_STACKS_OUTER_FRAMES - 1].node();
  node = StackTree::child(node, ALLOCGATE_PLACE_CUT, source, true);
  for (uint32_t index = m_size - ALLOCGATE_STACKS_INNER_FRAMES; index < m_size && node != 0; ++index) {
    node = StackTree::child(node, m_room.frames[index].place, source, true);
  }
  return node;
}

/* Of a stack whose outer end is out of reach only the innermost frames are kept. */
uint32_t RememberedStack::node_of_cut_stack(const Walk& walk, NodeSource& source) const {
  constexpr uint32_t k_inner = ALLOCGATE_STACKS_INNER_FRAMES;
  uint32_t node = ALLOCGATE_ROOT_CUT;
  for (uint32_t i = walk.new_frames < k_inner ? walk.new_frames : k_inner; i-- > 0 && node != 0;) {
    node = StackTree::child(node, m_room.new_frames[i].place, source, true);
  }
  return node;
}

uint32_t NestedWalk::walk(FrameState state, NodeSource& source) {
  m_bounds.enter(state.sp);
  RuleReader rules;
  uint32_t count = 0;
  uint32_t node = ALLOCGATE_ROOT_CUT;
  while (count < k_most_frames) {
    ReadWord read[k_most_words_a_step];
    WordList words(read);
    const StepResult result = step(state, m_places[count], rules, m_bounds, words);
    count += 1;
    if (result == StepResult::refused) {
      return 0;
    }
    if (result != StepResult::stepped) {
      node = static_cast<uint32_t>(result);
      break;
    }
  }
  if (node == ALLOCGATE_ROOT_CUT) {
    count = ALLOCGATE_STACKS_INNER_FRAMES;
  }
  while (count-- > 0 && node != 0) {
    node = StackTree::child(node, m_places[count], source, false);
  }
  return node;
}

}  // namespace allocgate::hooks
