// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/make_sampler.hpp"

#include "measure/counted_launch.hpp"

#include <chrono>

namespace allocgate {
namespace {

/// A workload must end by itself, so one that nobody gave a time has this.
constexpr std::chrono::minutes k_default_timeout{5};

}  // namespace

MeasureOptions options_for(const WorkloadInfo& workload, const MeasureOptions& given) {
  MeasureOptions options = given;
  options.timeout = given.timeout ? given.timeout : workload.timeout.value_or(k_default_timeout);
  if (!workload.working_directory.empty()) {
    options.working_directory = workload.working_directory;
  }
  return options;
}

std::filesystem::path program_of(const WorkloadInfo& workload, const MeasureOptions& options) {
  const bool is_command = workload.kind == SuiteKind::command && !workload.command.empty();
  return is_command ? program_of(workload.command, Environment::fixed(), options.working_directory) : workload.program;
}

std::unique_ptr<Sampler> make_sampler(const WorkloadInfo& workload, const MeasureOptions& options, Launcher& launcher) {
  switch (workload.kind) {
    case SuiteKind::adapter:
      return make_adapter_sampler(workload, options, launcher);
    case SuiteKind::forwarded:
      return make_forwarded_sampler(workload, options, launcher);
    case SuiteKind::opaque:
      return make_opaque_sampler(workload, options, launcher);
    case SuiteKind::command:
      return make_command_sampler(workload, options, launcher);
  }
  return nullptr;
}

}  // namespace allocgate
