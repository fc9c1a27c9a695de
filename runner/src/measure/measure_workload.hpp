// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/measure_time.hpp"
#include "measure/progress.hpp"
#include "measure/suite_listing.hpp"
#include "model/result.hpp"
#include "process/launcher.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace allocgate {

/// Where the installed parts are, found relative to the command itself.
struct Installation {
  std::filesystem::path hooks;      // liballocgate_hooks.so
  std::filesystem::path forwarder;  // liballocgate_benchmark_window.so
  std::filesystem::path suite;      // folder of suite programs
  std::filesystem::path schema;
};

struct MeasureOptions {
  Installation installation;
  std::string allocator = "system";  // system, mimalloc, jemalloc, tcmalloc, or a path
  std::uint64_t iterations = 0;      // N; 0: the workload's own, or chosen
  unsigned processes = 3;            // at least; more follow where they differ
  unsigned most_processes = 10;
  bool usable_sizes = true;  // level 2
  bool follow_children = true;
  std::optional<std::chrono::milliseconds> timeout;  // of a process; absent: the workload's own, else 5 minutes for a
                                                     // workload and none for stat
  std::filesystem::path working_directory;           // where programs are started; a workload's own wins
  std::optional<TimePlan> time;                      // for the caller, who measures it afterwards and alone
  MeasureProgress* progress = nullptr;               // not owned
};

/// Measures one workload in fresh processes: warm-up, then windows of N, 2N and 3N iterations in each; class, slope
/// and set-up per series (DESIGN section 4). A crash, a hang or a blind run is the result's status, never an Error.
/// Throws Error when nothing can be measured at all: no such allocator (64), no room for a record (3), interrupted
/// (130). Several threads may measure at once if the launcher allows it.
WorkloadResult measure_workload(const WorkloadInfo& workload, const MeasureOptions& options, Launcher& launcher);

/// Counts one command and its children, once: `stat`. The launch outcome is returned beside the result, because the
/// runner ends as the command ended.
struct CommandResult {
  WorkloadResult workload;
  LaunchOutcome outcome;
  bool started = true;  // false: its file says already that it cannot be counted; `outcome` says nothing then
};

/// Starts `command` in the foreground with the caller's environment. A command that fails was measured all the same:
/// its status is ok, its end is in the outcome and in the first of the processes. `blind` and why when the hooks did
/// not see it, or not all of it; a program whose file proves that is not started. Throws Error as measure_workload
/// does.
CommandResult measure_command(const std::vector<std::string>& command, const MeasureOptions& options,
                              Launcher& launcher);

}  // namespace allocgate
