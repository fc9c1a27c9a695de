// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// How to get from one frame to its caller's: what an unwind table says about one instruction, in 8 bytes. On x86-64 the
// return address lies below the canonical frame address (CFA), so that only the CFA and the caller's rbp need a rule;
// what does not fit is unsupported, and a stack that meets it ends there with a mark.
#pragma once

#include <stdint.h>

namespace allocgate::hooks {

enum class RuleKind : uint8_t {
  none,           // no table covers the instruction
  unsupported,    // one does, with a rule that is not known here
  refused,        // nothing can be said: memory could not be had
  from_sp,        // CFA = sp + cfa
  from_bp,        // CFA = bp + cfa
  linkage_entry,  // CFA = sp + cfa, and 8 more from the offset `extra` of a 16-byte entry on
  realigned,      // CFA = word at bp + cfa; the caller's bp at bp + 8 * bp
  from_register,  // CFA = register + cfa; known right below a signal frame only
  behind_frame,   // from_sp, but bp by an expression that is stale by then: nothing can be called there any more
  signal_frame,   // everything from the context that the kernel saved at sp
  outermost,      // no caller
};

constexpr int16_t k_bp_unchanged = INT16_MIN;

/* In `extra` of from_register: the register's number, and whether the caller's bp is found from bp, not from the CFA.
 */
constexpr uint8_t k_register_mask = 0x0f;
constexpr uint8_t k_bp_from_bp = 0x80;

struct UnwindRule {
  int32_t cfa = 0;
  int16_t bp = k_bp_unchanged;  // the caller's bp is stored at CFA + 8 * bp
  RuleKind kind = RuleKind::none;
  uint8_t extra = 0;
};
static_assert(sizeof(UnwindRule) == 8);

}  // namespace allocgate::hooks
