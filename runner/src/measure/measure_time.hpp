// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/suite_listing.hpp"
#include "model/result.hpp"
#include "process/launcher.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Time beside counts: what workloads take, in runs of their own without the hooks.
namespace allocgate {

enum class InstructionCounter { perf, callgrind };

/// What is to be measured beside wall time, CPU time, page faults, context switches and peak resident memory, and what
/// of it this machine gives.
struct TimePlan {
  unsigned processes = 10;                           // a workload; each gives one value
  std::vector<std::string> event_names;              // measures; `instructions` first where perf counts them
  std::vector<PerfEvent> events;                     // in the same order
  std::optional<std::filesystem::path> valgrind;     // counts the instructions
  std::vector<std::string> absent;                   // one sentence for each event that is not counted, and why
  std::string allocator = "system";                  // as MeasureOptions::allocator, preloaded alone
  std::optional<std::chrono::milliseconds> timeout;  // of a process
};

/// Asks this machine for its counters. Throws Error: 64 for an event that has no such name, 3 where callgrind is wanted
/// and valgrind is not installed.
TimePlan plan_time(unsigned processes, InstructionCounter instructions, const std::vector<std::string>& events);

/// Adds the series of `plan` to `result`, of which the counts of `workload` were measured already; nothing when that
/// failed. Other work on the machine is in the times: the caller measures one workload at a time. A run that fails is a
/// note. Times are of one run of `result.iterations` iterations: of the loop where the program links the adapter, else
/// of the whole process. Throws Error (130) when interrupted.
void measure_time(const WorkloadInfo& workload, const TimePlan& plan, Launcher& launcher, WorkloadResult& result);

}  // namespace allocgate
