// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/frame_step.hpp"

namespace allocgate::hooks {
namespace {

/* lea -8(%r10), %rsp: how GCC ends a realigned frame, behind `leave`. bp is the caller's already, the table says
 * otherwise. */
bool is_restored_by_r10(uintptr_t pc) {
  const auto* code = reinterpret_cast<const uint8_t*>(pc);
  return code[0] == 0x49 && code[1] == 0x8d && code[2] == 0x62 && code[3] == 0xf8;
}

class RareStep {
public:
  RareStep(FrameState& state, const UnwindRule& rule, StackBounds& bounds, WordList& words)
      : m_state(state), m_rule(rule), m_bounds(bounds), m_words(words) {}

  StepResult through_signal_frame() {
    const uintptr_t context = m_state.sp;
    if (!m_bounds.is_within(context, context + k_context_pc)) {
      return StepResult::unreadable;
    }
    const uintptr_t pc = m_words.read(context + k_context_pc);
    const uintptr_t sp = m_words.read(context + k_context_sp);
    const uintptr_t bp = m_words.read(context + k_context_bp);
    // The handler may have had a stack of its own.
    m_bounds.enter(sp);
    m_state = {pc, sp, bp, context};
    return pc != 0 && pc >> k_address_bits == 0 ? StepResult::stepped : StepResult::unreadable;
  }

  StepResult from_linkage_entry() {
    const bool is_pushed = (m_state.pc & 15) >= m_rule.extra;
    return to_caller(m_state.sp + offset(m_rule.cfa) + (is_pushed ? 8 : 0), m_state.bp);
  }

  StepResult from_realigned() {
    const uintptr_t at = m_state.bp + offset(m_rule.cfa);
    const uintptr_t saved = m_state.bp + offset(8 * intptr_t{m_rule.bp});
    if (!m_bounds.is_within(m_state.sp, at) || !m_bounds.is_within(m_state.sp, saved)) {
      return StepResult::unreadable;
    }
    const uintptr_t cfa = m_words.read(at);
    return to_caller(cfa, m_words.read(saved));
  }

  StepResult from_register() {
    if (!m_state.is_interrupted()) {
      return StepResult::no_rule;
    }
    const uintptr_t base = m_words.read(m_state.context + k_context_registers[m_rule.extra & k_register_mask]);
    const uintptr_t cfa = base + offset(m_rule.cfa);
    if (m_rule.bp == k_bp_unchanged || is_restored_by_r10(m_state.pc)) {
      return to_caller(cfa, m_state.bp);
    }
    const uintptr_t from = (m_rule.extra & k_bp_from_bp) != 0 ? m_state.bp : cfa;
    const uintptr_t saved = from + offset(8 * intptr_t{m_rule.bp});
    if (!m_bounds.may_end_frame(m_state.sp, cfa) || !m_bounds.is_within(m_state.sp, saved)) {
      return StepResult::unreadable;
    }
    return to_caller(cfa, m_words.read(saved));
  }

  StepResult behind_frame() {
    // With the return address on top of the stack nothing of the frame is left: bp is the caller's already.
    return m_state.is_interrupted() ? to_caller(m_state.sp + 8, m_state.bp) : StepResult::no_rule;
  }

private:
  static uintptr_t offset(intptr_t value) { return static_cast<uintptr_t>(value); }

  StepResult to_caller(uintptr_t cfa, uintptr_t bp) {
    if (!m_bounds.may_end_frame(m_state.sp, cfa)) {
      return StepResult::unreadable;
    }
    m_state = {m_words.read(cfa - sizeof(uintptr_t)), cfa, bp, 0};
    if (m_state.pc >> k_address_bits != 0) {
      return StepResult::unreadable;
    }
    return m_state.pc == 0 ? StepResult::outermost : StepResult::stepped;
  }

  FrameState& m_state;
  const UnwindRule& m_rule;
  StackBounds& m_bounds;
  WordList& m_words;
};

}  // namespace

StepResult step_rarely(FrameState& state, const UnwindRule& rule, uint64_t place, StackBounds& bounds,
                       WordList& words) {
  RareStep rare(state, rule, bounds, words);
  switch (rule.kind) {
    case RuleKind::outermost:
      return StepResult::outermost;
    case RuleKind::signal_frame:
      return rare.through_signal_frame();
    case RuleKind::linkage_entry:
      return rare.from_linkage_entry();
    case RuleKind::realigned:
      return rare.from_realigned();
    case RuleKind::from_register:
      return rare.from_register();
    case RuleKind::behind_frame:
      return rare.behind_frame();
    case RuleKind::refused:
      return StepResult::refused;
    default:
      return place >> k_address_bits == 0 ? StepResult::no_module : StepResult::no_rule;
  }
}

}  // namespace allocgate::hooks
