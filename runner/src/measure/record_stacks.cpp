// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/record_stacks.hpp"

#include "measure/counted_launch.hpp"
#include "measure/make_sampler.hpp"
#include "measure/sample.hpp"
#include "process/blindness.hpp"

namespace allocgate {

StackRun record_command(const std::vector<std::string>& command, const MeasureOptions& options,
                        const StackCapture& capture, Launcher& launcher) {
  const Environment environment = Environment::inherited();
  const std::filesystem::path program = program_of(command, environment);
  if (auto reason = reason_not_to_start(program)) {
    StackRun run = failed_run({WorkloadStatus::blind, std::move(*reason)}, command);
    run.started = false;
    return run;
  }
  CountedLaunch launch(options);
  launch.record_stacks(capture);
  launch.run(command, environment, LaunchSpec::Output::inherit, CountedLaunch::Forwarder::no, launcher);
  if (auto failure = failure_of_command(launch.outcome(), launch.contents(), options.timeout, program)) {
    StackRun run = failed_run(std::move(*failure), command);
    run.outcome = launch.outcome();
    return run;
  }
  return whole_life_of(launch, command);
}

StackRun record_workload(const WorkloadInfo& workload, const MeasureOptions& given, const StackCapture& capture,
                         Launcher& launcher) {
  const MeasureOptions options = options_for(workload, given);
  const std::unique_ptr<Sampler> sampler = make_sampler(workload, options, launcher);
  if (auto reason = reason_not_to_start(program_of(workload, options))) {
    StackRun run = failed_run({WorkloadStatus::blind, std::move(*reason)}, sampler->command());
    run.started = false;
    return run;
  }
  return sampler->record(capture);
}

}  // namespace allocgate
