// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// One entry of .eh_frame (a frame description, FDE, and the common part it refers to, CIE) and the rule that it has for
// one instruction. Reads the tables in memory, needs about 2 KiB of the stack. Any thread, any signal handler.
#pragma once

#include <stdint.h>

#include "stacks/byte_reader.hpp"
#include "stacks/unwind_rule.hpp"

namespace allocgate::hooks {

/* What descriptions have in common. */
struct CommonDescription {
  uint64_t code_alignment = 1;
  int64_t data_alignment = 1;
  uint64_t return_register = 0;
  uint8_t encoding = 0;
  bool has_augmentation = false;
  bool is_signal_frame = false;
  bool is_valid = false;
  ByteReader program;
};

struct FrameDescription {
  CommonDescription common;
  uintptr_t begin = 0;
  uintptr_t end = 0;
  ByteReader program;
  bool is_valid = false;

  bool covers(uintptr_t at) const { return is_valid && at >= begin && at < end; }
};

/* The entry at `at`, which is not valid if that is a CIE, or of a form that is not known. `next` is where the one after
 * it begins; null when this is the terminator. Nothing beyond `limit` is read. */
FrameDescription read_frame_description(const uint8_t* at, const uint8_t* limit, const uint8_t*& next);

/* The rule for the instruction at `at`, which the description covers. */
UnwindRule rule_of(const FrameDescription& description, uintptr_t at);

}  // namespace allocgate::hooks
