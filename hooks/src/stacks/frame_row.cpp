// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/frame_row.hpp"

#include "stacks/byte_reader.hpp"
#include "stacks/signal_context.hpp"

namespace allocgate::hooks {
namespace {

using How = SavedRegister::How;

constexpr UnwindRule k_unsupported{0, k_bp_unchanged, RuleKind::unsupported, 0};
constexpr uint8_t k_operation_register = 0x70;  // DW_OP_breg0
constexpr uint8_t k_operation_deref = 0x06;
constexpr uint8_t k_operation_literal = 0x30;  // DW_OP_lit0
constexpr uint64_t k_most_registers = 16;

/* Whether the block is just register + offset, or the word there. */
bool is_register_offset(const uint8_t* expression, uint64_t number, bool is_word, int64_t& offset) {
  constexpr uint64_t k_longest = 12;
  ByteReader reader(expression, expression + 1);
  const uint64_t length = reader.unsigned_leb();
  if (length > k_longest) {
    return false;
  }
  reader = {expression + 1, expression + 1 + length};
  if (reader.fixed<uint8_t>() != k_operation_register + number) {
    return false;
  }
  offset = reader.signed_leb();
  return (!is_word || reader.fixed<uint8_t>() == k_operation_deref) && !reader.has_more();
}

/* The linker's own, for its tables of calls: sp + N + (((pc & 15) >= M) << 3). */
bool is_linkage_table(const uint8_t* block, UnwindRule& rule) {
  constexpr uint8_t k_length = 11;
  constexpr uint8_t k_small = 0x40;  // one byte of a signed LEB128
  if (block[0] != k_length || block[1] != k_operation_register + k_sp_register || block[2] >= k_small) {
    return false;
  }
  const uint8_t threshold = block[7];
  const uint8_t form[] = {0x80, 0x00, 0x3f, 0x1a, threshold, 0x2a, 0x33, 0x24, 0x22};
  for (unsigned i = 0; i < sizeof(form); ++i) {
    if (block[3 + i] != form[i]) {
      return false;
    }
  }
  rule = {block[2], k_bp_unchanged, RuleKind::linkage_entry, static_cast<uint8_t>(threshold - k_operation_literal)};
  return threshold >= k_operation_literal && threshold < k_operation_literal + 32;
}

/* An offset in words, as rules keep it. */
bool to_words(int64_t offset, int16_t& words) {
  constexpr int64_t k_word = 8;
  words = static_cast<int16_t>(offset / k_word);
  return offset % k_word == 0 && offset / k_word == words && words != k_bp_unchanged;
}

}  // namespace

UnwindRule FrameRow::to_rule(bool is_signal_frame) const {
  if (return_address.how == How::undefined) {
    return {0, k_bp_unchanged, RuleKind::outermost, 0};
  }
  return cfa_expression != nullptr ? rule_by_expression(is_signal_frame) : rule_by_register();
}

UnwindRule FrameRow::rule_by_expression(bool is_signal_frame) const {
  int64_t cfa = 0;
  int64_t at = 0;
  if (is_signal_frame) {
    int64_t pc_at = 0;
    const bool is_known = is_register_offset(cfa_expression, k_sp_register, true, cfa) &&
                          return_address.how == How::at_expression && bp.how == How::at_expression &&
                          is_register_offset(return_address.expression, k_sp_register, false, pc_at) &&
                          is_register_offset(bp.expression, k_sp_register, false, at) && cfa == k_context_sp &&
                          pc_at == k_context_pc && at == k_context_bp;
    return is_known ? UnwindRule{0, k_bp_unchanged, RuleKind::signal_frame, 0} : k_unsupported;
  }
  UnwindRule rule;
  if (return_address.how != How::at_offset || return_address.offset != -8) {
    return k_unsupported;
  }
  if (is_linkage_table(cfa_expression, rule)) {
    return bp.how == How::unchanged ? rule : k_unsupported;
  }
  rule.kind = RuleKind::realigned;
  rule.cfa = is_register_offset(cfa_expression, k_bp_register, true, cfa) ? static_cast<int32_t>(cfa) : 0;
  const bool is_known = rule.cfa != 0 && rule.cfa == cfa && bp.how == How::at_expression &&
                        is_register_offset(bp.expression, k_bp_register, false, at) && to_words(at, rule.bp);
  return is_known ? rule : k_unsupported;
}

UnwindRule FrameRow::rule_by_register() const {
  UnwindRule rule;
  rule.cfa = static_cast<int32_t>(cfa_offset);
  if (return_address.how != How::at_offset || return_address.offset != -8 || rule.cfa != cfa_offset ||
      cfa_register >= k_most_registers) {
    return k_unsupported;
  }
  if (cfa_register == k_sp_register) {
    rule.kind = RuleKind::from_sp;
  } else if (cfa_register == k_bp_register) {
    rule.kind = RuleKind::from_bp;
  } else {
    rule.kind = RuleKind::from_register;
    rule.extra = static_cast<uint8_t>(cfa_register);
  }
  int64_t at = 0;
  switch (bp.how) {
    case How::unchanged:
    case How::undefined:
      return rule;
    case How::at_offset:
      return to_words(bp.offset, rule.bp) ? rule : k_unsupported;
    case How::at_expression:
      if (!is_register_offset(bp.expression, k_bp_register, false, at) || !to_words(at, rule.bp)) {
        return k_unsupported;
      }
      if (rule.kind == RuleKind::from_register) {
        rule.extra |= k_bp_from_bp;
        return rule;
      }
      // GCC leaves it so behind the end of a realigned frame, where it holds no longer; nothing can be called there.
      if (rule.kind == RuleKind::from_sp && rule.cfa == 8) {
        return {rule.cfa, k_bp_unchanged, RuleKind::behind_frame, 0};
      }
      return k_unsupported;
    default:
      return k_unsupported;
  }
}

}  // namespace allocgate::hooks
