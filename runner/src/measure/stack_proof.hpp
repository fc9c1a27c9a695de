// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/proof.hpp"
#include "process/launcher.hpp"
#include "process/record_contents.hpp"
#include "process/stack_contents.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Whether recorded call stacks may be believed: they must be the counters, split up.
namespace allocgate {

struct ProvenStacks {
  std::optional<Failure> failure;      // then nothing else here means anything
  std::vector<StackSection> sections;  // those that the recording is made of
  /// What the counters have and no section: of processes whose stacks could not be recorded, or that were ended, or
  /// still ran, in the middle of an allocation. Negative where a stack was written and its counter not yet.
  Count missing_allocations = 0;
  Count missing_bytes = 0;
  Count allocations = 0;  // of the counters
  Count bytes = 0;
  std::vector<std::string> notes;  // sentences for people: what is missing, and of which process
};

/// Of whole processes.
ProvenStacks prove_stacks(const RecordContents& contents, std::vector<StackSection> sections);

/// Of the windows that had their stacks recorded, all in one process; `iterations` gets their sum. Sections of other
/// processes belong to no window: they are left out, and a note says so.
ProvenStacks prove_window_stacks(const RecordContents& contents, std::vector<StackSection> sections,
                                 std::uint64_t& iterations);

}  // namespace allocgate
