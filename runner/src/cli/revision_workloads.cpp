// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/revision_workloads.hpp"

#include "base/error.hpp"
#include "cli/installation.hpp"
#include "cli/measuring.hpp"
#include "cli/select_workloads.hpp"

#include <fmt/format.h>

#include <vector>

namespace allocgate {

namespace fs = std::filesystem;

LoadedConfiguration configuration_in(const fs::path& worktree, const Repository& repository,
                                     const LoadedConfiguration& here, const std::vector<std::string>& suites,
                                     const std::string& option) {
  LoadedConfiguration there = here;
  const fs::path file = here.file.empty() ? repository.top() / k_configuration_file : here.file;
  const fs::path inside = repository.in_any_work_tree(file);
  if (inside.is_absolute()) {
    throw Error(ExitCode::usage, fmt::format("'{}' lies outside of the repository '{}', so its workloads are in no "
                                             "revision; keep it in the repository, or name programs with --suite",
                                             here.file.string(), repository.top().string()));
  }
  there.file = worktree / inside;
  if (!suites.empty()) {
    there.configuration.workloads.clear();
    there.configuration.suites.clear();
    for (const std::string& suite : suites) {
      there.configuration.suites.push_back((worktree / repository.in_any_work_tree(suite)).string());
    }
  }
  if (!there.has_workloads()) {
    throw Error(ExitCode::usage,
                fmt::format("{} has nothing to measure: name the programs that the build makes with --suite, or write "
                            "workloads into {} (`allocgate init`)",
                            option, k_configuration_file));
  }
  return there;
}

std::string build_line(const std::string& given, const LoadedConfiguration& configuration, const std::string& option) {
  if (!given.empty()) {
    return given;
  }
  if (configuration.configuration.build) {
    return *configuration.configuration.build;
  }
  throw Error(ExitCode::usage, fmt::format("{} needs to know how a revision is built: --build 'make -j', or \"build\" "
                                           "in {}",
                                           option, k_configuration_file));
}

Result measure_what_is_there(const MeasuringOptions& measuring, const LoadedConfiguration& configuration,
                             const std::string& compiler, const Streams& streams, Launcher& launcher) {
  const Installation installation = own_installation();
  require_hooks(installation);
  FoundWorkloads found = find_workloads(measuring, configuration, installation, launcher);
  const WorkloadChoice choice = measuring.choice();
  std::erase_if(found.workloads,
                [&choice](const WorkloadInfo& workload) { return !choice.means(choosable(workload)); });
  return measure_all(found.workloads, found.unlistable, measuring, measuring.measure_options(installation),
                     own_testbed(measuring.allocator, found.workloads, compiler), streams, launcher);
}

}  // namespace allocgate
