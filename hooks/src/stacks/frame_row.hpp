// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// One row of an unwind table as DWARF describes it, and what it is in our 8 bytes. Of the expressions that DWARF allows
// the few that linkers, compilers and the C library write on x86-64 are known by their form.
#pragma once

#include <stdint.h>

#include "stacks/unwind_rule.hpp"

namespace allocgate::hooks {

constexpr uint64_t k_bp_register = 6;
constexpr uint64_t k_sp_register = 7;

struct SavedRegister {
  enum class How : uint8_t { unchanged, at_offset, at_expression, undefined, other };

  How how = How::unchanged;
  int64_t offset = 0;                   // from the CFA
  const uint8_t* expression = nullptr;  // its length, then the block
};

struct FrameRow {
  uint64_t cfa_register = 0;
  int64_t cfa_offset = 0;
  const uint8_t* cfa_expression = nullptr;  // its length, then the block; null: register and offset
  SavedRegister bp;
  SavedRegister return_address;

  UnwindRule to_rule(bool is_signal_frame) const;

private:
  UnwindRule rule_by_expression(bool is_signal_frame) const;
  UnwindRule rule_by_register() const;
};

}  // namespace allocgate::hooks
