// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// One step of a walk: from a frame to its caller's. Every word of memory that it reads is kept, because the walk that
// follows is proven by them; nothing is read that is not known to be readable. Any thread, any signal handler.
#pragma once

#include <allocgate/stack_record.h>
#include <stdint.h>

#include "stacks/rule_cache.hpp"
#include "stacks/signal_context.hpp"
#include "stacks/stack_bounds.hpp"

namespace allocgate::hooks {

/* A frame as its callee left it. */
struct FrameState {
  uintptr_t pc = 0;  // where it goes on: a return address, or the interrupted instruction
  uintptr_t sp = 0;  // after the return
  uintptr_t bp = 0;
  uintptr_t context = 0;  // not 0: interrupted, and all its registers are there

  bool is_interrupted() const { return context != 0; }
  uintptr_t instruction() const { return pc - (is_interrupted() ? 0 : 1); }
};

/* A word that a walk has read. */
struct ReadWord {
  const uintptr_t* address;
  uintptr_t value;
};

constexpr uint32_t k_most_words_a_step = 4;

enum class StepResult : uint8_t {
  stepped = 0,
  outermost = ALLOCGATE_ROOT_OUTERMOST,
  no_rule = ALLOCGATE_ROOT_NO_RULE,
  no_module = ALLOCGATE_ROOT_NO_MODULE,
  unreadable = ALLOCGATE_ROOT_UNREADABLE,
  refused = 255  // memory could not be had: the stack is not known
};

/* Collects the words of a walk; the room for them is the walk's business. */
class WordList {
public:
  explicit WordList(ReadWord* words) : m_words(words) {}

  [[gnu::always_inline]] uintptr_t read(uintptr_t address) {
    const auto* word = reinterpret_cast<const uintptr_t*>(address);
    const uintptr_t value = *static_cast<const volatile uintptr_t*>(word);
    m_words[m_count++] = {word, value};
    return value;
  }

  void add(const ReadWord& word) { m_words[m_count++] = word; }
  uint32_t count() const { return m_count; }
  void set_count(uint32_t count) { m_count = count; }
  void move_to(ReadWord* words) { m_words = words; }

private:
  ReadWord* m_words;
  uint32_t m_count = 0;
};

/* The rare rules. */
StepResult step_rarely(FrameState& state, const UnwindRule& rule, uint64_t place, StackBounds& bounds, WordList& words);

/* Makes `state` that of the caller and tells the place of the frame it was. On another result than `stepped` the frame
 * is the last one, and the state means nothing. */
[[gnu::always_inline]] inline StepResult step(FrameState& state, uint64_t& place, RuleReader& rules,
                                              StackBounds& bounds, WordList& words) {
  const CachedRule found = rules.find(state.instruction());
  const UnwindRule rule = found.rule;
  place = found.place;
  uintptr_t cfa;
  if (__builtin_expect(rule.kind == RuleKind::from_sp, 1)) {
    cfa = state.sp + static_cast<uintptr_t>(static_cast<intptr_t>(rule.cfa));
  } else if (__builtin_expect(rule.kind == RuleKind::from_bp, 1)) {
    cfa = state.bp + static_cast<uintptr_t>(static_cast<intptr_t>(rule.cfa));
  } else {
    return step_rarely(state, rule, place, bounds, words);
  }
  if (__builtin_expect(!bounds.may_end_frame(state.sp, cfa), 0)) {
    return StepResult::unreadable;
  }
  if (rule.bp != k_bp_unchanged) {
    const uintptr_t slot = cfa + static_cast<uintptr_t>(8 * intptr_t{rule.bp});
    if (__builtin_expect(!bounds.is_within(state.sp, slot), 0) &&
        !(state.is_interrupted() && bounds.is_just_left(state.sp, slot))) {
      return StepResult::unreadable;
    }
    state.bp = words.read(slot);
  }
  state.pc = words.read(cfa - sizeof(uintptr_t));
  state.sp = cfa;
  state.context = 0;
  // Neither null nor more than an address can have.
  if (__builtin_expect(state.pc - 1 >= (uintptr_t{1} << k_address_bits) - 1, 0)) {
    return state.pc == 0 ? StepResult::outermost : StepResult::unreadable;
  }
  return StepResult::stepped;
}

}  // namespace allocgate::hooks
