// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The loaded objects that stacks were seen in, each with its unwind tables and its number in the section. They are met
// one by one, when an instruction is met that no known one has. The loader is asked without a lock of ours: it calls
// malloc with its own lock held. An object that goes and comes back as it was keeps its number; another one at the same
// addresses gets a new one.
#pragma once

#include <stdint.h>

#include "stacks/frame_tables.hpp"

namespace allocgate::hooks {

struct LoadedModule {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  uintptr_t base = 0;
  uint64_t identity = 0;      // of the path and the build id, or of what else can be known of the content
  uint32_t number = 0;        // in the section; written last
  uint32_t is_loaded = 0;     // so far as is known
  bool is_permanent = false;  // loaded when the program started: the loader never unloads it
  FrameTables tables;

  bool holds(uintptr_t address) const { return address >= begin && address < end; }
};

struct ModuleSearch {
  const LoadedModule* module = nullptr;
  bool is_certain = true;  // null: there is none. False when the loader or the section refused to say.
};

/* The module that has the address now. */
ModuleSearch find_module(uintptr_t address);

/* The loader's list has changed: what it may have unloaded is not taken to be loaded any more, until it is found again.
 * It is not asked, because what another thread unloads at this moment cannot be looked at. Calls forget(begin, end) for
 * the addresses of each. */
void doubt_modules(void (*forget)(uintptr_t begin, uintptr_t end));

/* Forgets all of them: the section is a new one. */
void forget_modules();

}  // namespace allocgate::hooks
