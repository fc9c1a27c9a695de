// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/measuring.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/for_each_index.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/installation.hpp"
#include "cli/progress.hpp"
#include "cli/select_workloads.hpp"
#include "json/documents.hpp"
#include "model/cores.hpp"
#include "testbed/detect_source.hpp"
#include "testbed/detect_testbed.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

WorkloadResult unlistable_program(const fs::path& program, const std::string& reason) {
  WorkloadResult result;
  result.suite = program.filename().string();
  result.name = result.suite;
  result.command = {program.string()};
  result.status = WorkloadStatus::failed;
  result.error = fmt::format("its workloads are not known, because it did not list them: {}", reason);
  return result;
}

/// The workloads of `programs`; one that does not answer is a failed result, so that the others go on.
FoundWorkloads workloads_of(const std::vector<fs::path>& programs, const std::string& hint, Launcher& launcher) {
  FoundWorkloads found;
  for (const fs::path& program : programs) {
    try {
      const std::vector<WorkloadInfo> listed = list_suite(program, launcher);
      found.workloads.insert(found.workloads.end(), listed.begin(), listed.end());
    } catch (const Error& error) {
      if (error.code() == ExitCode::interrupted) {
        throw;
      }
      found.unlistable.push_back(unlistable_program(program, error.what() + hint));
    }
  }
  return found;
}

FoundWorkloads installed_workloads(const Installation& installation, Launcher& launcher) {
  const std::vector<fs::path> programs = suite_programs(installation);
  if (programs.empty()) {
    throw Error(ExitCode::not_measured,
                fmt::format("there are no workloads: no program in '{}'; build the target allocgate_suite, name a "
                            "google-benchmark program with --suite, or write commands into {} (`allocgate init`)",
                            (installation_prefix() / "lib/allocgate/suite").string(), k_configuration_file));
  }
  FoundWorkloads found = workloads_of(programs, "", launcher);
  // Ours come in the order in which files were linked, which tells nobody anything; other programs keep their own.
  std::stable_sort(found.workloads.begin(), found.workloads.end(),
                   [](const WorkloadInfo& left, const WorkloadInfo& right) { return left.name < right.name; });
  return found;
}

WorkloadInfo info_of(const ConfiguredWorkload& configured, const std::string& suite) {
  WorkloadInfo info;
  info.name = configured.name;
  info.suite = suite;
  info.program = configured.command.front();
  info.command = configured.command;
  info.kind = SuiteKind::command;
  info.exercises = configured.exercises;
  info.iterations = configured.iterations;
  info.gate = configured.gate;
  info.depends_on = configured.depends_on;
  if (configured.timeout_ms) {
    info.timeout = std::chrono::milliseconds(*configured.timeout_ms);
  }
  return info;
}

/// Commands and programs in the order of the file, all to be started in its folder.
FoundWorkloads configured_workloads(const LoadedConfiguration& configuration, Launcher& launcher) {
  std::vector<fs::path> programs;
  for (const std::string& suite : configuration.configuration.suites) {
    programs.push_back(configuration.folder() / suite);
  }
  const std::optional<std::string>& build = configuration.configuration.build;
  FoundWorkloads found = workloads_of(
      programs, build ? fmt::format("; {} builds it with: {}", k_configuration_file, *build) : "", launcher);
  for (const ConfiguredWorkload& workload : configuration.configuration.workloads) {
    found.workloads.push_back(info_of(workload, configuration.configuration.name));
  }
  for (WorkloadInfo& workload : found.workloads) {
    workload.working_directory = configuration.folder();
  }
  return found;
}

void apply_overrides(const Configuration& configuration, WorkloadInfo& workload) {
  for (const WorkloadOverride& given : configuration.overrides) {
    if (given.workload != workload.name && !glob_matches(given.workload, workload.name)) {
      continue;
    }
    if (given.gate) {
      workload.gate = given.gate;
    }
    for (const std::string& field : given.depends_on) {
      if (std::find(workload.depends_on.begin(), workload.depends_on.end(), field) == workload.depends_on.end()) {
        workload.depends_on.push_back(field);
      }
    }
  }
}

/// One workload after another, whatever --jobs says: others would be in its time.
void measure_times(const std::vector<WorkloadInfo>& workloads, const TimePlan& plan, const Streams& streams,
                   Launcher& launcher, Result& result) {
  for (const std::string& sentence : plan.absent) {
    streams.err << fmt::format("allocgate: {}\n", sentence);
  }
  Progress progress(streams, workloads.size());
  for (std::size_t index = 0; index < workloads.size(); ++index) {
    progress.process_begins(workloads[index].name, 1, 1);
    measure_time(workloads[index], plan, launcher, result.workloads[index]);
    progress.workload_ends(result.workloads[index]);
  }
}

}  // namespace

FoundWorkloads find_workloads(const MeasuringOptions& options, const LoadedConfiguration& configuration,
                              const Installation& installation, Launcher& launcher) {
  FoundWorkloads found;
  if (!options.suites.empty()) {
    for (const std::string& suite : options.suites) {
      const std::vector<WorkloadInfo> listed = list_suite(suite, launcher);
      found.workloads.insert(found.workloads.end(), listed.begin(), listed.end());
    }
  } else if (configuration.has_workloads()) {
    found = configured_workloads(configuration, launcher);
  } else {
    found = installed_workloads(installation, launcher);
  }
  for (WorkloadInfo& workload : found.workloads) {
    apply_overrides(configuration.configuration, workload);
  }
  return found;
}

Choosable choosable(const WorkloadInfo& workload) {
  return {workload.name, cores_of(workload.name, workload.suite, workload.depends_on)};
}

std::vector<WorkloadInfo> selected(const std::vector<WorkloadInfo>& workloads, const WorkloadChoice& choice) {
  std::vector<Choosable> all;
  std::transform(workloads.begin(), workloads.end(), std::back_inserter(all), choosable);
  std::vector<WorkloadInfo> chosen;
  for (const std::size_t index : select_workloads(all, choice)) {
    chosen.push_back(workloads[index]);
  }
  return chosen;
}

Testbed own_testbed(const std::string& allocator, const std::vector<WorkloadInfo>& workloads,
                    const std::string& compiler) {
  std::map<std::string, std::string> cores;
  for (const WorkloadInfo& workload : workloads) {
    if (!workload.core.empty()) {
      cores[workload.core] = workload.core_version;
    }
  }
  TestbedFacts facts = read_testbed_facts();
  if (!compiler.empty()) {
    facts.compiler = compiler;
  }
  // An allocator that is named by its path is the same one wherever it lies.
  return make_testbed(facts, fs::path(allocator).filename().string(), cores);
}

Result measure_all(const std::vector<WorkloadInfo>& workloads, const std::vector<WorkloadResult>& unlistable,
                   const MeasuringOptions& options, const MeasureOptions& how, const Testbed& testbed,
                   const Streams& streams, Launcher& launcher) {
  const auto begin = std::chrono::steady_clock::now();
  Result result;
  result.allocgate_version = std::string(version());
  result.testbed = testbed;
  result.started_at = now_text();
  // What is measured lies where the workloads are started.
  result.source = detect_source(workloads.empty() ? fs::path() : workloads.front().working_directory, launcher);
  result.workloads.resize(workloads.size());
  {
    Progress progress(streams, workloads.size());
    MeasureOptions with_progress = how;
    with_progress.progress = &progress;
    for_each_index(workloads.size(), options.jobs, [&](std::size_t index) {
      result.workloads[index] = measure_workload(workloads[index], with_progress, launcher);
      progress.workload_ends(result.workloads[index]);
    });
  }
  throw_if_interrupted();
  if (how.time) {
    measure_times(workloads, *how.time, streams, launcher, result);
  }
  result.workloads.insert(result.workloads.end(), unlistable.begin(), unlistable.end());
  result.duration_ns = std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count();
  return result;
}

Result read_result(const fs::path& file) {
  return result_from_json(read_file(file), file);
}

ExitCode exit_code_of(const Result& result) {
  ExitCode code = ExitCode::fine;
  for (const WorkloadResult& workload : result.workloads) {
    if (workload.status != WorkloadStatus::ok) {
      code = worse_of(code, workload.status == WorkloadStatus::blind ? ExitCode::blind : ExitCode::not_measured);
    }
  }
  return code;
}

std::string now_text() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::string today_text() {
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace allocgate
