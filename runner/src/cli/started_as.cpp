// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/started_as.hpp"

#include "base/text.hpp"
#include "measure/sample.hpp"
#include "process/environment.hpp"

#include <allocgate/suite_protocol.h>
#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

namespace {

std::vector<std::string> argv_of(const WorkloadInfo& workload, const MeasureOptions& how, Launcher& launcher) {
  switch (workload.kind) {
    case SuiteKind::adapter:
      return make_adapter_sampler(workload, how, launcher)->command();
    case SuiteKind::forwarded:
      return make_forwarded_sampler(workload, how, launcher)->command();
    case SuiteKind::opaque:
      return make_opaque_sampler(workload, how, launcher)->command();
    case SuiteKind::command:
      return make_command_sampler(workload, how, launcher)->command();
  }
  return {};
}

}  // namespace

StartedAs started_as(const WorkloadInfo& workload, const MeasureOptions& how, Launcher& launcher) {
  Environment environment = Environment::fixed();
  if (workload.kind == SuiteKind::adapter) {
    const std::uint64_t n = std::max<std::uint64_t>(1, how.iterations != 0 ? how.iterations : workload.iterations);
    environment.set(ALLOCGATE_ENV_SUITE_WORKLOAD, workload.name);
    environment.set(ALLOCGATE_ENV_SUITE_WINDOWS, fmt::format("{0},{0},{1},{2}", n, 2 * n, 3 * n));
  }
  return {environment.entries(), argv_of(workload, how, launcher), workload.working_directory};
}

std::string shell_line(const StartedAs& started) {
  std::string line;
  if (!started.working_directory.empty()) {
    line = fmt::format("cd {} && ", shell_quoted(started.working_directory.string()));
  }
  line += "env -i";
  for (const std::string& variable : started.environment) {
    line += " " + shell_quoted(variable);
  }
  return line + " " + shell_quoted(started.argv);
}

}  // namespace allocgate
