// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_baseline_update.hpp"

#include "base/error.hpp"
#include "baselines/baseline_store.hpp"
#include "cli/acceptance.hpp"
#include "cli/accepted_results.hpp"
#include "cli/baseline_updates.hpp"
#include "cli/installation.hpp"
#include "cli/judging.hpp"
#include "cli/measuring.hpp"
#include "cli/option_helpers.hpp"
#include "cli/threshold_option.hpp"
#include "cli/workload_stacks.hpp"
#include "compare/choose_baseline.hpp"
#include "compare/make_baseline.hpp"
#include "recordings/formats.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace allocgate {

namespace {

const CommandHelp k_help = {
    "baseline update",
    "accepts what is measured, with a reason",
    "[OPTIONS] --reason TEXT [NAME...]",
    "Measures the workloads, or reads results with --from, prints the difference that this makes to the baseline of "
    "the "
    "testbed, and writes it. Values that do not change keep their date, commit and reason; thresholds that were set by "
    "hand stay.\n\n"
    "Values that are blind, leak, or are less exact than declared are refused unless accepted by name; a workload that "
    "failed is always refused. What is refused keeps its old entry, the rest is written, and the exit code says so.",
    {{"allocgate baseline update --reason 'requests reuse their buffer' 'beast/*'",
      "Accepts the numbers of some workloads."},
     {"allocgate baseline update --from now.json -m 'cache' --accept-leak lru/grow",
      "From a result file, with one growth that is meant."}},
    {{"0", "written, or nothing to change"},
     {"2", "a leak was refused"},
     {"3", "a workload failed or is unstable and was refused"},
     {"6", "a blind value was refused"},
     {"7", "values were refused because others of their workload were, and iterations changed"},
     {"64", "wrong use; no reason given"},
     {"65", "a result or the old baseline cannot be read; nothing was written"},
     {"130", "interrupted"}},
};

void add_names(CLI::App& app, const std::string& name, std::vector<std::string>& values,
               const std::string& description) {
  add_repeatable(app, name, values, "NAME", description + "; WORKLOAD or WORKLOAD:MEASURE");
}

Result measured_result(const MeasuringOptions& options, const LoadedConfiguration& configuration,
                       const Streams& streams) {
  const Installation installation = own_installation();
  require_hooks(installation);
  PosixLauncher launcher;
  const FoundWorkloads found = find_workloads(options, configuration, installation, launcher);
  std::vector<WorkloadInfo> workloads = found.workloads;
  // A name may mean an entry of the baseline alone; whether it means anything is seen with the baseline at hand.
  const WorkloadChoice choice = options.choice();
  std::erase_if(workloads, [&choice](const WorkloadInfo& workload) { return !choice.means(choosable(workload)); });
  const std::vector<WorkloadResult> unlistable = choice.means_all() ? found.unlistable : std::vector<WorkloadResult>();
  return measure_all(workloads, unlistable, options, options.measure_options(installation),
                     own_testbed(options.allocator, found.workloads), streams, launcher);
}

/// The names in the result and in the old baselines that the choice means.
std::vector<std::string> meant_names(const WorkloadChoice& choice, const Result& result,
                                     const std::map<std::string, std::optional<Baseline>>& existing) {
  std::vector<Baseline> baselines;
  for (const auto& [suite, baseline] : existing) {
    if (baseline) {
      baselines.push_back(*baseline);
    }
  }
  return names_chosen(choice, result, baselines);
}

/// The suites to update: those of the result, and where vanished entries are to go, those that vanished as a whole.
std::set<std::string> suites_to_update(const Result& result, const BaselineStore& store,
                                       const CommandBaselineUpdate::Options& options) {
  const std::vector<std::string> measured = suites_of(result);
  std::set<std::string> suites(measured.begin(), measured.end());
  if (options.remove_missing && options.from.empty() && options.measuring.suites.empty()) {
    for (const BaselineStore::Entry& entry : store.entries()) {
      if (entry.testbed_id == result.testbed.id) {
        suites.insert(entry.suite);
      }
    }
  }
  return suites;
}

std::vector<BaselineUpdate> updates_of(const Result& result, const BaselineStore& store,
                                       const CommandBaselineUpdate::Options& options) {
  // Every old file is read, and so refused if it is damaged, before the first one is written.
  std::map<std::string, std::optional<Baseline>> existing;
  for (const std::string& suite : suites_to_update(result, store, options)) {
    existing[suite] = store.load(result.testbed.id, suite);
  }
  MakeBaselineOptions make;
  if (!options.measuring.choice().means_all()) {
    make.workloads = meant_names(options.measuring.choice(), result, existing);
  }
  make.remove_missing = options.remove_missing;
  if (!options.threshold.empty()) {
    make.threshold = parse_threshold(options.threshold);
  }
  const Acceptances acceptances{options.accept_leak, options.accept_blind, options.accept_unstable};
  std::string commit;
  if (result.source) {
    commit = result.source->commit + (result.source->dirty ? "-dirty" : "");
  }
  std::vector<BaselineUpdate> updates;
  for (const auto& [suite, baseline] : existing) {
    updates.push_back({!baseline, make_accepted_baseline(baseline, result, suite, options.reason, commit, now_text(),
                                                         make, acceptances)});
  }
  return updates;
}

}  // namespace

const CommandHelp& CommandBaselineUpdate::help() const {
  return k_help;
}

void CommandBaselineUpdate::setup(CLI::App& app) {
  app.add_option("NAME", m_options.measuring.names, "Update these alone: names, globs or /regex/ (default: all)");
  app.add_option("-m,--reason", m_options.reason, "Why the new values are right; kept in the baseline")
      ->type_name("TEXT");
  add_repeatable(app, "--from", m_options.from, "RESULT",
                 "Read RESULT instead of measuring; of several testbeds each is updated");
  app.add_option("--matrix", m_options.matrix,
                 "Read what 'matrix --format json' measured instead, and update the testbed of each toolchain")
      ->type_name("FILE");
  app.add_option("--rev", m_options.revision, "With --matrix: the revision whose values become the baselines")
      ->type_name("REV");
  add_baseline_folder(app, m_options.baseline, "a new one here");
  add_names(app, "--accept-leak", m_options.accept_leak, "Accept growth of live allocations");
  add_names(app, "--accept-blind", m_options.accept_blind, "Accept a count of zero where there was one");
  add_names(app, "--accept-unstable", m_options.accept_unstable, "Accept values that are less exact than declared");
  app.add_option("--threshold", m_options.threshold, "Write this threshold into every updated value: 1%, 5 or 10..20")
      ->type_name("VALUE");
  app.add_flag("--remove-missing", m_options.remove_missing, "Remove entries that have no result any more");
  app.add_flag("--with-stacks", m_options.with_stacks,
               "Keep the call stacks beside the values, for 'check --explain' to compare with");
  app.add_flag("--dry-run", m_options.dry_run, "Print the difference and write nothing");
  m_options.measuring.setup(app);
  m_options.output.setup(app, {"text", "json"});
}

void CommandBaselineUpdate::check() {
  if (m_options.reason.find_first_not_of(" \t\n") == std::string::npos) {
    throw Error(ExitCode::usage,
                "it needs a reason, which is kept in the baseline: --reason 'why the new values are right'");
  }
  if (!m_options.matrix.empty() && !m_options.from.empty()) {
    throw Error(ExitCode::usage, "--from and --matrix exclude each other: values come from one place");
  }
  if (m_options.matrix.empty() && !m_options.revision.empty()) {
    throw Error(ExitCode::usage, "--rev goes with --matrix");
  }
  if (m_options.with_stacks && !(m_options.from.empty() && m_options.matrix.empty())) {
    throw Error(ExitCode::usage, "--with-stacks records what is measured here, so it goes without --from and --matrix");
  }
  if (m_options.measuring.quick) {
    throw Error(ExitCode::usage, "--quick does not prove that values repeat, so they cannot become a baseline");
  }
  if (!m_options.threshold.empty()) {
    parse_threshold(m_options.threshold);
  }
}

std::vector<Result> CommandBaselineUpdate::results(const LoadedConfiguration& configuration,
                                                   const Streams& streams) const {
  if (!m_options.matrix.empty()) {
    return results_of_matrix(m_options.matrix, m_options.revision);
  }
  if (!m_options.from.empty()) {
    return results_of_files(m_options.from);
  }
  return {measured_result(m_options.measuring, configuration, streams)};
}

void CommandBaselineUpdate::keep_stacks(const Result& result, const LoadedConfiguration& configuration,
                                        const BaselineStore& store, std::vector<BaselineUpdate>& updates,
                                        const Streams& streams) const {
  PosixLauncher launcher;
  for (const WorkloadResult& workload : result.workloads) {
    for (BaselineUpdate& update : updates) {
      const auto entry = update.made.baseline.workloads.find(workload.name);
      if (update.made.baseline.suite != workload.suite || entry == update.made.baseline.workloads.end() ||
          workload.status != WorkloadStatus::ok) {
        continue;
      }
      MeasuringOptions measuring = m_options.measuring;
      measuring.iterations = workload.iterations;
      NamingOptions naming;
      naming.source_root = source_root_of(configuration);
      const Recording recording = recorded_workload(workload.name, measuring, configuration, naming, launcher);
      const std::string name = store.save_stacks(result.testbed.id, to_pprof(recording));
      update.stacks_changed = update.stacks_changed || entry->second.stacks != name;
      entry->second.stacks = name;
      streams.err << fmt::format("allocgate: kept the call stacks of {}\n", workload.name);
    }
  }
}

int CommandBaselineUpdate::run(const Streams& streams) {
  const LoadedConfiguration configuration = load_configuration(m_options.measuring.config);
  const BaselineStore store(baselines_folder_to_write(m_options.baseline, configuration));
  std::vector<BaselineUpdate> updates;
  ExitCode code = ExitCode::fine;
  for (const Result& result : results(configuration, streams)) {
    std::vector<BaselineUpdate> of_testbed = updates_of(result, store, m_options);
    if (m_options.with_stacks && !m_options.dry_run) {
      keep_stacks(result, configuration, store, of_testbed, streams);
    }
    updates.insert(updates.end(), of_testbed.begin(), of_testbed.end());
    code = worse_of(code, result.workloads.empty() ? ExitCode::not_measured : ExitCode::fine);
  }
  for (const BaselineUpdate& update : updates) {
    for (const BaselineRefusal& refusal : update.made.refusals) {
      code = worse_of(code, code_of(refusal));
    }
  }
  show_updates(updates, store, m_options.output, streams);
  if (!m_options.dry_run) {
    write_updates(updates, store, streams);
  }
  return static_cast<int>(code);
}

}  // namespace allocgate
