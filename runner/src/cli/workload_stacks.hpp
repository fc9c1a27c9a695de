// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/configuration.hpp"
#include "cli/measuring_options.hpp"
#include "measure/stack_run.hpp"
#include "stacks/recording.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace allocgate {

/// Where the names of code come from.
struct NamingOptions {
  std::filesystem::path source_root;  // files below it are named from there on; empty: by their whole paths
  bool no_inlines = false;
  bool no_symbol_cache = false;
  bool debuginfod = false;
  std::vector<std::string> debug_folders;
};

/// Where the sources of what `configuration` measures begin: the root of the git work tree around its folder, or around
/// the working directory; empty where there is none.
std::filesystem::path source_root_of(const LoadedConfiguration& configuration);

/// The one workload that `name` means, of those that `measuring` and `configuration` mean. Throws Error (64) when it
/// means none or several.
WorkloadInfo workload_named(const std::string& name, const MeasuringOptions& measuring,
                            const LoadedConfiguration& configuration, const Installation& installation,
                            Launcher& launcher);

/// What was recorded in `run`, which did not fail, with names, command and iterations. Throws Error (1) when it does
/// not add up to the counters, which is a fault of ours: a recording that does not is never shown.
Recording named_recording(const StackRun& run, const NamingOptions& naming, Launcher& launcher);

/// The call stacks of the window of that workload that `run` judges. Throws Error: 3 that says why there are none, 64
/// as workload_named does, 130 when interrupted.
Recording recorded_workload(const std::string& name, const MeasuringOptions& measuring,
                            const LoadedConfiguration& configuration, const NamingOptions& naming, Launcher& launcher);

}  // namespace allocgate
