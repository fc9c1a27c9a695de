// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/workload_stacks.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/installation.hpp"
#include "cli/measuring.hpp"
#include "measure/record_stacks.hpp"
#include "process/cache_folder.hpp"
#include "symbols/demangler.hpp"
#include "symbols/recorded_stacks.hpp"
#include "symbols/symbolizer.hpp"

#include <fmt/format.h>

#include <span>
#include <string_view>
#include <utility>

namespace allocgate {

std::filesystem::path source_root_of(const LoadedConfiguration& configuration) {
  std::error_code error;
  const std::filesystem::path start =
      configuration.file.empty() ? std::filesystem::current_path(error) : configuration.folder();
  for (std::filesystem::path folder = start; !folder.empty(); folder = folder.parent_path()) {
    if (std::filesystem::exists(folder / ".git", error)) {
      return folder;
    }
    if (folder == folder.parent_path()) {
      break;
    }
  }
  return {};
}

Recording named_recording(const StackRun& run, const NamingOptions& naming, Launcher& launcher) {
  SymbolOptions options;
  options.search.folders.assign(naming.debug_folders.begin(), naming.debug_folders.end());
  options.search.network = naming.debuginfod;
  if (const auto cache = cache_folder(); cache && !naming.no_symbol_cache) {
    options.cache = *cache / "symbols";
  }
  Symbolizer symbolizer(options);
  const NamesForPeople people = [&launcher](std::span<const std::string_view> symbols) {
    return names_for_people(symbols, launcher);
  };
  Recording recording = recording_of(run.stacks.sections, symbolizer, people,
                                     {.main_executable = run.main_executable,
                                      .source_root = naming.source_root.string(),
                                      .inlined = !naming.no_inlines});
  std::vector<Count> missing(recording.measures().size());
  missing[0] = run.stacks.missing_allocations;
  missing[1] = run.stacks.missing_bytes;
  const bool is_whole = missing[0] == 0 && missing[1] == 0;
  if ((!is_whole && !recording.add_unlisted(missing)) || recording.totals()[0] != run.stacks.allocations ||
      recording.totals()[1] != run.stacks.bytes) {
    throw Error(ExitCode::internal_error,
                fmt::format("record: the recording adds up to {} allocations and {} bytes, and the counters say {} and "
                            "{}: this is a fault of allocgate, and nothing was written; please report it",
                            grouped(recording.totals()[0]), grouped(recording.totals()[1]),
                            grouped(run.stacks.allocations), grouped(run.stacks.bytes)));
  }
  recording.command = shell_quoted(run.command);
  recording.iterations = run.iterations;
  for (const auto* notes : {&run.stacks.notes, &run.notes}) {
    recording.notes.insert(recording.notes.end(), notes->begin(), notes->end());
  }
  for (std::string& problem : symbolizer.problems()) {
    recording.notes.push_back("names are missing: " + std::move(problem));
  }
  return recording;
}

WorkloadInfo workload_named(const std::string& name, const MeasuringOptions& measuring,
                            const LoadedConfiguration& configuration, const Installation& installation,
                            Launcher& launcher) {
  const FoundWorkloads found = find_workloads(measuring, configuration, installation, launcher);
  std::vector<WorkloadInfo> workloads = selected(found.workloads, {{name}, {}});
  if (workloads.size() != 1) {
    throw Error(ExitCode::usage, fmt::format("'{}' means {} workloads, the first of them {} and {}; name one", name,
                                             workloads.size(), workloads[0].name, workloads[1].name));
  }
  return std::move(workloads.front());
}

Recording recorded_workload(const std::string& name, const MeasuringOptions& measuring,
                            const LoadedConfiguration& configuration, const NamingOptions& naming, Launcher& launcher) {
  const Installation installation = own_installation();
  require_hooks(installation);
  const WorkloadInfo workload = workload_named(name, measuring, configuration, installation, launcher);
  const StackRun run = record_workload(workload, measuring.measure_options(installation), {}, launcher);
  throw_if_interrupted();
  if (run.failure) {
    throw Error(ExitCode::not_measured,
                fmt::format("the call stacks of {} were not recorded: {}", workload.name, run.failure->error));
  }
  return named_recording(run, naming, launcher);
}

}  // namespace allocgate
