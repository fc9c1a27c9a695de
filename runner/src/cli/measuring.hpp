// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "base/exit_code.hpp"
#include "cli/configuration.hpp"
#include "cli/measuring_options.hpp"
#include "cli/streams.hpp"
#include "measure/suite_listing.hpp"
#include "model/result.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// The workloads of some programs, and the programs that could not list theirs, as failed results.
struct FoundWorkloads {
  std::vector<WorkloadInfo> workloads;
  std::vector<WorkloadResult> unlistable;
};

/// The workloads of `options.suites`, or else of the configuration, or else the installed ones; in each case with the
/// gates and `depends_on` that the configuration says. A program that was named by an option must answer: Error (64
/// not there, 3 it failed); another that does not is a failed result, so that the others go on. Throws Error (3) when
/// there is no program at all.
FoundWorkloads find_workloads(const MeasuringOptions& options, const LoadedConfiguration& configuration,
                              const Installation& installation, Launcher& launcher);

/// A workload as select_workloads takes it.
Choosable choosable(const WorkloadInfo& workload);

/// Those workloads that `choice` means. Throws Error (64) as select_workloads does.
std::vector<WorkloadInfo> selected(const std::vector<WorkloadInfo>& workloads, const WorkloadChoice& choice);

/// The testbed of this machine with `allocator` under the hooks and these workloads' cores, which `compiler` built
/// ("gcc 12.2"; empty: what built this command).
Testbed own_testbed(const std::string& allocator, const std::vector<WorkloadInfo>& workloads,
                    const std::string& compiler = {});

/// Measures `workloads`, `options.jobs` at a time, with a progress bar, into a whole result with testbed, source and
/// times; results are in the order of `workloads`, `unlistable` last. Throws Error (130) when interrupted.
Result measure_all(const std::vector<WorkloadInfo>& workloads, const std::vector<WorkloadResult>& unlistable,
                   const MeasuringOptions& options, const MeasureOptions& how, const Testbed& testbed,
                   const Streams& streams, Launcher& launcher);

/// A result file. Throws Error (65) that names it and the place.
Result read_result(const std::filesystem::path& file);

/// What is wrong with the workloads of a result alone: 3 failed, 6 blind, 0.
ExitCode exit_code_of(const Result& result);

/// Now in UTC, as RFC 3339 writes it.
std::string now_text();

/// Today in UTC, YYYY-MM-DD.
std::string today_text();

}  // namespace allocgate
