// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_baseline_prune.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "baselines/baseline_store.hpp"
#include "cli/baseline_updates.hpp"
#include "cli/configuration.hpp"
#include "cli/installation.hpp"
#include "cli/measuring.hpp"
#include "cli/option_helpers.hpp"
#include "compare/prune_baseline.hpp"
#include "report/values.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

namespace allocgate {

namespace {

const CommandHelp k_help = {
    "baseline prune",
    "removes entries whose workload is no longer there",
    "[OPTIONS] --reason TEXT",
    "Asks the suite's programs for their workloads, measures nothing, and removes the entries of all others from this "
    "testbed's baseline. A suite of which no program is there is left alone, because it may only not be built: "
    "--gone removes it as a whole. A file without any entry left is removed.",
    {{"allocgate baseline prune --reason 'the UDP workloads moved'", "What no program has any more."},
     {"allocgate baseline prune --gone beast --all-testbeds -m 'Beast is dropped'", "A whole suite, everywhere."}},
    {{"0", "removed, or nothing to remove"},
     {"3", "a program could not list its workloads; its entries stay, others are pruned"},
     {"64", "wrong use; no reason given; a suite is not gone"},
     {"65", "a baseline file cannot be read; nothing was written"},
     {"130", "interrupted"}},
};

/// The workloads of every suite that is there.
using Existing = std::map<std::string, std::set<std::string>>;

Existing existing_workloads(const FoundWorkloads& found) {
  Existing existing;
  for (const WorkloadInfo& workload : found.workloads) {
    existing[workload.suite].insert(workload.name);
  }
  return existing;
}

void refuse_suites_that_are_there(const std::vector<std::string>& gone, const Existing& existing,
                                  const std::set<std::string>& kept) {
  const std::vector<std::string> names(kept.begin(), kept.end());
  for (const std::string& suite : gone) {
    if (existing.count(suite) != 0) {
      throw Error(ExitCode::usage,
                  fmt::format("baseline prune: --gone {}: it is there, with {}; without --gone those that it "
                              "lacks are removed",
                              suite, counted(existing.at(suite).size(), "workload")));
    }
    if (kept.count(suite) == 0) {
      throw Error(ExitCode::usage, fmt::format("baseline prune: --gone {}: there is no baseline of that suite{}", suite,
                                               did_you_mean(suite, names)));
    }
  }
}

}  // namespace

const CommandHelp& CommandBaselinePrune::help() const {
  return k_help;
}

void CommandBaselinePrune::setup(CLI::App& app) {
  app.add_option("-m,--reason", m_options.reason, "Why they are gone; printed with what is removed")->type_name("TEXT");
  add_repeatable(app, "--suite", m_options.measuring.suites, "PROGRAM",
                 "Prune the baseline of PROGRAM alone (default: what allocgate.json says, else the installed suite)");
  add_repeatable(app, "--gone", m_options.gone, "SUITE", "Remove this suite, of which no program is there any more");
  add_baseline_folder(app, m_options.baseline);
  add_configuration_file(app, m_options.measuring.config);
  app.add_flag("--all-testbeds", m_options.all_testbeds, "In the baselines of every testbed, not of this one alone");
  app.add_flag("--dry-run", m_options.dry_run, "Print the difference and write nothing");
  m_options.output.setup(app, {"text", "json"});
}

void CommandBaselinePrune::check() {
  if (m_options.reason.find_first_not_of(" \t\n") == std::string::npos) {
    throw Error(ExitCode::usage, "it needs a reason: --reason 'why they are gone'");
  }
}

int CommandBaselinePrune::run(const Streams& streams) {
  const LoadedConfiguration configuration = load_configuration(m_options.measuring.config);
  const BaselineStore store(baselines_folder_to_write(m_options.baseline, configuration));
  PosixLauncher launcher;
  const FoundWorkloads found = find_workloads(m_options.measuring, configuration, own_installation(), launcher);
  const Existing existing = existing_workloads(found);
  const std::string own = own_testbed("system", {}).id;

  std::set<std::string> kept;
  std::vector<BaselineUpdate> updates;
  for (const BaselineStore::Entry& entry : store.entries()) {
    if (!m_options.all_testbeds && entry.testbed_id != own) {
      continue;
    }
    kept.insert(entry.suite);
    const auto workloads = existing.find(entry.suite);
    const bool gone = std::find(m_options.gone.begin(), m_options.gone.end(), entry.suite) != m_options.gone.end();
    const std::optional<Baseline> baseline = store.load(entry.testbed_id, entry.suite);
    if (!baseline || (workloads == existing.end() && !gone)) {
      continue;
    }
    const std::set<std::string> names = gone ? std::set<std::string>() : workloads->second;
    updates.push_back({false, prune_baseline(*baseline, names, m_options.reason)});
  }
  refuse_suites_that_are_there(m_options.gone, existing, kept);
  for (const std::string& suite : kept) {
    const bool named = std::find(m_options.gone.begin(), m_options.gone.end(), suite) != m_options.gone.end();
    if (existing.count(suite) == 0 && !named && m_options.measuring.suites.empty()) {
      streams.err << fmt::format(
          "allocgate: the entries of {} stay, because no program has that suite; if it is gone for good: --gone {}\n",
          suite, shell_quoted(suite));
    }
  }
  for (const WorkloadResult& program : found.unlistable) {
    streams.err << fmt::format("allocgate: {}: {}\n", program.name, program.error);
  }
  if (updates.empty()) {
    streams.err << fmt::format("allocgate: there is no baseline of these suites {}\n",
                               m_options.all_testbeds ? "in " + store.folder().string()
                                                      : "for " + own + "; --all-testbeds looks at every one");
  }
  show_updates(updates, store, m_options.output, streams);
  if (!m_options.dry_run) {
    write_updates(updates, store, streams);
  }
  return static_cast<int>(found.unlistable.empty() ? ExitCode::fine : ExitCode::not_measured);
}

}  // namespace allocgate
