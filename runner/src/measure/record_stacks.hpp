// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/measure_workload.hpp"
#include "measure/stack_run.hpp"
#include "measure/suite_listing.hpp"
#include "process/launcher.hpp"

#include <string>
#include <vector>

namespace allocgate {

/// Starts `command` in the foreground with the caller's environment, as measure_command does, and records the stacks of
/// its whole life and of its children's. A command that fails was recorded all the same. Throws Error as
/// measure_command does.
StackRun record_command(const std::vector<std::string>& command, const MeasureOptions& options,
                        const StackCapture& capture, Launcher& launcher);

/// Runs `workload` once more than it needs to know its iterations, and records the window of N iterations that `run`
/// judges: without warm-up and set-up. Of a configured command and of a program whose loop cannot be seen it is the
/// whole life. Throws Error as measure_workload does.
StackRun record_workload(const WorkloadInfo& workload, const MeasureOptions& options, const StackCapture& capture,
                         Launcher& launcher);

}  // namespace allocgate
