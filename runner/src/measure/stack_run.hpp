// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/stack_proof.hpp"
#include "process/launcher.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace allocgate {

class CountedLaunch;

/// What of a program's call stacks is recorded.
struct StackCapture {
  bool live = false;               // and what became of the blocks
  std::uint64_t sample_bytes = 0;  // above 0: only one allocation in so many bytes
};

/// One run of a program whose call stacks were recorded, with the proof that they are its counters split up.
struct StackRun {
  std::optional<Failure> failure;  // then there is no recording
  bool started = true;             // false: its file says already that it cannot be counted
  LaunchOutcome outcome;
  ProvenStacks stacks;
  std::optional<std::uint64_t> iterations;  // what it is the work of; absent: the whole life of a command
  std::string main_executable;              // as the hooks saw it
  std::vector<std::string> command;         // what was started
  std::vector<std::string> notes;           // what else a reader must know
  std::size_t processes = 0;
};

/// A run that ended before there was anything to record.
StackRun failed_run(Failure failure, std::vector<std::string> command);

/// A launch with record_stacks() that was run: everything, or its windows that were recorded.
StackRun whole_life_of(const CountedLaunch& launch, std::vector<std::string> command);
StackRun window_of(const CountedLaunch& launch, std::vector<std::string> command);

}  // namespace allocgate
