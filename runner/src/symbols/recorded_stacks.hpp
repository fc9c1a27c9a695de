// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "process/stack_contents.hpp"
#include "stacks/recording.hpp"
#include "symbols/symbolizer.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

/// The names for people of symbols, in their order: names_for_people() with a launcher.
using NamesForPeople = std::function<std::vector<std::string>(std::span<const std::string_view>)>;

struct RecordedStacksOptions {
  std::string main_executable;  // the path of the command's own file; empty: not known
  std::string source_root;      // files below this folder are named from there on; empty: all by their whole paths
  bool inlined = true;          // false: only the function that inlined calls are in
};

/// What the hooks recorded in some processes as one recording with names: their stacks together, where a stack ends
/// before the first frame a marker, and what has no stack as not listed, so that the totals are the sections' own.
/// Pure but for what `names` and `people` do. Throws Error (1) when a sum would leave 64 bits.
Recording recording_of(std::span<const StackSection> sections, CodeNames& names, const NamesForPeople& people,
                       const RecordedStacksOptions& options);

}  // namespace allocgate
