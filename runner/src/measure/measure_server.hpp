// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/measure_workload.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace allocgate {

/// What is done to a server while it is counted. Both are lines for /bin/sh, run without the hooks.
struct ServerLoad {
  std::string ready;   // run again and again until it succeeds
  std::string during;  // the requests; "{iterations}" stands for how many, and a line without it is repeated
  std::uint64_t iterations = 1;
  std::chrono::milliseconds ready_timeout{30'000};
};

/// Counts an unmodified server under load, in one life of it: start, wait until it is ready, one load of N iterations
/// that does not count, then windows of N, 2N and 3N. A window is what all its processes counted between two moments in
/// which they were quiet. `options.timeout` is for each run of the load. What keeps it from being counted is the
/// status of the result: not ready in time, ended by itself, a load that failed, blind. Throws Error as
/// measure_workload does.
CommandResult measure_server(const std::vector<std::string>& command, const ServerLoad& load,
                             const MeasureOptions& options, Launcher& launcher);

}  // namespace allocgate
