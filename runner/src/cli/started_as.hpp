// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/measure_workload.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace allocgate {

/// How `run` starts a workload, without what differs from process to process (the record and the preloaded hooks): what
/// `list --commands` prints and `run --no-hooks` starts, so that other tools look at the same thing.
struct StartedAs {
  std::vector<std::string> environment;  // NAME=VALUE, complete
  std::vector<std::string> argv;
  std::filesystem::path working_directory;  // empty: the caller's
};

/// Starts nothing; `launcher` is not used for a launch.
StartedAs started_as(const WorkloadInfo& workload, const MeasureOptions& how, Launcher& launcher);

/// "env -i NAME=VALUE ... PROGRAM ...", after "cd FOLDER && " where it is started in one, as a POSIX shell reads it.
std::string shell_line(const StartedAs& started);

}  // namespace allocgate
