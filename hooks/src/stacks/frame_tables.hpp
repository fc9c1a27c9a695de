// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The unwind tables of one loaded object. A rule is looked for when an instruction is met for the first time, by the
// linker's own search table; where that is missing or of another form, all descriptions are gone through. Any thread,
// any signal handler.
#pragma once

#include <stdint.h>

#include "stacks/unwind_rule.hpp"

namespace allocgate::hooks {

struct FrameTables {
  const uint8_t* search = nullptr;  // .eh_frame_hdr: what the pairs below are relative to
  const int32_t* pairs = nullptr;   // first instruction and description, sorted; null when they cannot be used
  uint32_t pair_count = 0;
  const uint8_t* descriptions = nullptr;  // .eh_frame
  const uint8_t* limit = nullptr;         // nothing from here on belongs to the object
};

/* Of an object that ends at `limit` and has its .eh_frame_hdr at `search`. */
FrameTables tables_at(const uint8_t* search, const uint8_t* limit);

/* Of an object without .eh_frame_hdr, whose file is at `path` and lies in memory `base` higher than it says. Empty when
 * the file cannot be read or has no .eh_frame that is loaded. */
FrameTables tables_of_file(const char* path, uintptr_t base, const uint8_t* limit);

/* The rule for the instruction at `at`. An address whose description begins right behind it, and which none covers, is
 * no call's: somebody put it there as the end of a stack, as the C library does for a new thread or context. */
UnwindRule find_rule(const FrameTables& tables, uintptr_t at);

}  // namespace allocgate::hooks
