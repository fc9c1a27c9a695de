// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/measure_workload.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "measure/sample.hpp"
#include "process/blindness.hpp"

namespace allocgate {

CommandResult measure_command(const std::vector<std::string>& command, const MeasureOptions& options,
                              Launcher& launcher) {
  if (command.empty()) {
    throw Error(ExitCode::usage, "no command was given; write it after `--`, as in `allocgate stat -- ls`");
  }
  CommandResult result;
  WorkloadResult& workload = result.workload;
  workload.name = shell_quoted(command);
  workload.command = command;

  const Environment environment = Environment::inherited();
  const std::filesystem::path program = program_of(command, environment);
  if (auto reason = reason_not_to_start(program)) {
    result.started = false;
    workload.status = WorkloadStatus::blind;
    workload.error = std::move(*reason);
    return result;
  }
  CountedLaunch launch(options);
  launch.run(command, environment, LaunchSpec::Output::inherit, CountedLaunch::Forwarder::no, launcher);
  result.outcome = launch.outcome();
  if (auto failure = failure_of_command(launch.outcome(), launch.contents(), options.timeout, program)) {
    workload.status = failure->status;
    workload.error = std::move(failure->error);
  }
  if (!was_started(result.outcome) || launch.contents().damage) {
    return result;
  }
  ProcessSample sample;
  add_totals(sample, sample.iterations, launch, program.string());
  workload.size_classes = sample.size_classes;
  workload.processes = std::move(sample.processes);
  workload.notes = std::move(sample.notes);
  if (launch.contents().processes.empty()) {
    return result;  // zeroes would look like counts
  }
  for (const auto& [name, points] : sample.points) {
    if (auto series = make_series(name, std::span(&points, 1), sample.iterations)) {
      workload.measures[name] = std::move(*series);
    }
  }
  if (const auto peak = workload.measures.find("peak_live_bytes"); peak != workload.measures.end()) {
    peak->second.error_bound = sample.peak_error;
  }
  return result;
}

}  // namespace allocgate
