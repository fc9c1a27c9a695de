// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/stack_run.hpp"

#include "measure/counted_launch.hpp"

namespace allocgate {

namespace {

StackRun run_of(const CountedLaunch& launch, std::vector<std::string> command) {
  StackRun run;
  run.outcome = launch.outcome();
  run.command = std::move(command);
  run.processes = launch.contents().processes.size();
  if (!launch.contents().processes.empty()) {
    run.main_executable = launch.contents().processes.front().executable;
  }
  run.notes = process_notes(launch.outcome(), launch.contents());
  return run;
}

}  // namespace

StackRun failed_run(Failure failure, std::vector<std::string> command) {
  StackRun run;
  run.failure = std::move(failure);
  run.command = std::move(command);
  return run;
}

StackRun whole_life_of(const CountedLaunch& launch, std::vector<std::string> command) {
  StackRun run = run_of(launch, std::move(command));
  run.stacks = prove_stacks(launch.contents(), launch.stack_sections());
  run.failure = run.stacks.failure;
  return run;
}

StackRun window_of(const CountedLaunch& launch, std::vector<std::string> command) {
  StackRun run = run_of(launch, std::move(command));
  std::uint64_t iterations = 0;
  run.stacks = prove_window_stacks(launch.contents(), launch.stack_sections(), iterations);
  run.failure = run.stacks.failure;
  run.iterations = iterations;
  return run;
}

}  // namespace allocgate
