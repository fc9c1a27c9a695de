// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/judging.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "baselines/baseline_store.hpp"
#include "cli/installation.hpp"
#include "cli/measuring.hpp"
#include "cli/merge_results.hpp"
#include "cli/select_workloads.hpp"
#include "compare/choose_baseline.hpp"
#include "compare/make_baseline.hpp"
#include "model/cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace allocgate {

namespace {

constexpr unsigned k_processes_to_confirm = 2;

/// A result as the baseline of everything in it, for --against. That it leaks there does not accept the leak.
std::vector<Baseline> as_baselines(const Result& result) {
  MakeBaselineOptions options;
  std::set<std::string> measures;
  for (const WorkloadResult& workload : result.workloads) {
    options.accepted.push_back(workload.name);
    for (const auto& [name, series] : workload.measures) {
      measures.insert(name);
    }
  }
  options.measures.assign(measures.begin(), measures.end());
  std::vector<Baseline> baselines;
  for (const std::string& suite : suites_of(result)) {
    Baseline baseline =
        make_baseline(std::nullopt, result, suite, "--against", "", result.started_at, options).baseline;
    for (auto& [name, workload] : baseline.workloads) {
      for (auto& [measure, value] : workload.measures) {
        value.leak_accepted = false;
      }
    }
    baselines.push_back(std::move(baseline));
  }
  return baselines;
}

std::vector<Baseline> load(const BaselineSource& source, const Result& result, const JudgeOptions& options) {
  if (options.without_baseline) {
    return {};
  }
  if (source.base) {
    return as_baselines(*source.base);
  }
  if (!source.against.empty()) {
    return as_baselines(read_result(source.against));
  }
  std::optional<std::vector<std::string>> suites;
  if (!source.suites.empty()) {
    suites = source.suites;
  }
  return BaselineStore(source.folder).baselines_for(result, suites);
}

/// A baseline of another testbed that may not be judged is the same to --allow-missing-baseline as none.
void allow_other_testbeds(const std::vector<Baseline>& baselines, const Result& result, JudgeOptions& options) {
  const bool all_of_others = std::none_of(baselines.begin(), baselines.end(), [&result](const Baseline& baseline) {
    return baseline.testbed.id == result.testbed.id;
  });
  options.warn_not_comparable = options.warn_not_comparable || (options.allow_missing_baseline && all_of_others);
}

/// A rule for a measure that nobody has would silently guard nothing. What a file says of a program's own counters can
/// be seen only where everything was measured.
void refuse_rules_without_measure(const JudgeOptions& options, const BaselineSource& source, const Result& result) {
  std::set<std::string> known;
  for (const MeasureInfo& measure : all_measures()) {
    known.emplace(measure.name);
  }
  for (const WorkloadResult& workload : result.workloads) {
    for (const auto& [name, series] : workload.measures) {
      known.insert(name);
    }
  }
  const std::vector<std::string> names(known.begin(), known.end());
  for (const ThresholdRule& rule : options.rules) {
    if (rule.measure.empty() || known.count(rule.measure) != 0) {
      continue;
    }
    const bool is_configured = rule.source == ThresholdSource::configuration;
    if (is_configured && (options.partial || !source.suites.empty())) {
      continue;
    }
    throw Error(is_configured ? ExitCode::unreadable_input : ExitCode::usage,
                fmt::format("{}: there is no measure '{}'{}",
                            is_configured ? source.configuration.string() + ": thresholds" : "--threshold",
                            rule.measure, did_you_mean(rule.measure, names)));
  }
}

/// The workloads of which an exact series is called worse.
std::set<std::string> to_confirm(const Judgement& judgement, const Result& result) {
  std::set<std::string> names;
  for (const Verdict& verdict : judgement.verdicts) {
    if (verdict.kind != VerdictKind::regression && verdict.kind != VerdictKind::leak) {
      continue;
    }
    for (const WorkloadResult& workload : result.workloads) {
      const auto series = workload.measures.find(verdict.measure);
      if (workload.name == verdict.workload && series != workload.measures.end() &&
          series->second.series_class == SeriesClass::exact) {
        names.insert(workload.name);
      }
    }
  }
  return names;
}

/// N as the baseline has it, so that totals can be compared too.
void take_iterations(std::vector<WorkloadInfo>& workloads, const std::vector<Baseline>& baselines) {
  for (WorkloadInfo& workload : workloads) {
    for (const Baseline& baseline : baselines) {
      const auto entry = baseline.workloads.find(workload.name);
      if (baseline.suite == workload.suite && entry != baseline.workloads.end()) {
        workload.iterations = entry->second.iterations;
      }
    }
  }
}

void measure_again(Result& result, const std::set<std::string>& names, const std::vector<WorkloadInfo>& workloads,
                   const MeasuringOptions& measuring, MeasureOptions how, const Streams& streams, Launcher& launcher) {
  std::vector<WorkloadInfo> again;
  std::copy_if(workloads.begin(), workloads.end(), std::back_inserter(again),
               [&names](const WorkloadInfo& workload) { return names.count(workload.name) != 0; });
  how.processes = k_processes_to_confirm;
  how.most_processes = k_processes_to_confirm;
  const Result second = measure_all(again, {}, measuring, how, result.testbed, streams, launcher);
  result.duration_ns += second.duration_ns;
  for (const WorkloadResult& workload : second.workloads) {
    for (WorkloadResult& first : result.workloads) {
      if (first.name == workload.name && first.suite == workload.suite) {
        merge_workload(first, workload);
      }
    }
  }
}

}  // namespace

std::vector<std::string> names_chosen(const WorkloadChoice& choice, const Result& result,
                                      std::span<const Baseline> baselines) {
  std::map<std::string, std::set<std::string>> cores;  // by name: programs may have workloads of one name
  const auto add = [&cores](const std::string& name, const std::vector<std::string>& over) {
    cores[name].insert(over.begin(), over.end());
  };
  for (const WorkloadResult& workload : result.workloads) {
    add(workload.name, cores_of(workload.name, workload.suite, workload.depends_on));
  }
  for (const Baseline& baseline : baselines) {
    for (const auto& [name, entry] : baseline.workloads) {
      add(name, cores_of(name, baseline.suite, entry.depends_on));
    }
  }
  std::vector<Choosable> workloads;
  for (const auto& [name, over] : cores) {
    workloads.push_back({name, {over.begin(), over.end()}});
  }
  std::vector<std::string> chosen;
  for (const std::size_t index : select_workloads(workloads, choice)) {
    chosen.push_back(workloads[index].name);
  }
  return chosen;
}

Judged judge_result(Result result, const WorkloadChoice& choice, const BaselineSource& source, JudgeOptions options) {
  std::vector<Baseline> baselines = load(source, result, options);
  if (!choice.means_all()) {
    options.partial = true;
    options.selected = names_chosen(choice, result, baselines);
    std::erase_if(result.workloads, [&options](const WorkloadResult& workload) {
      return std::find(options.selected.begin(), options.selected.end(), workload.name) == options.selected.end();
    });
  }
  refuse_rules_without_measure(options, source, result);
  allow_other_testbeds(baselines, result, options);
  Judgement judgement = judge(result, baselines, options);
  return {std::move(result), std::move(baselines), source.folder, std::move(judgement)};
}

Judged measure_and_judge(const MeasuringOptions& measuring, const LoadedConfiguration& configuration,
                         const BaselineSource& source, JudgeOptions options, const Streams& streams) {
  const Installation installation = own_installation();
  require_hooks(installation);
  PosixLauncher launcher;
  const FoundWorkloads found = find_workloads(measuring, configuration, installation, launcher);

  // The baselines are wanted before there is a result: the testbed and the names are enough to find them.
  Result outline;
  outline.testbed = own_testbed(measuring.allocator, found.workloads);
  for (const WorkloadInfo& workload : found.workloads) {
    WorkloadResult named;
    named.name = workload.name;
    named.suite = workload.suite;
    named.depends_on = workload.depends_on;
    outline.workloads.push_back(std::move(named));
  }
  std::vector<Baseline> baselines = load(source, outline, options);
  std::vector<WorkloadInfo> workloads = found.workloads;
  if (!measuring.choice().means_all()) {
    options.partial = true;
    options.selected = names_chosen(measuring.choice(), outline, baselines);
    std::erase_if(workloads, [&options](const WorkloadInfo& workload) {
      return std::find(options.selected.begin(), options.selected.end(), workload.name) == options.selected.end();
    });
  }
  if (measuring.iterations == 0) {
    take_iterations(workloads, baselines);
  }
  allow_other_testbeds(baselines, outline, options);

  const MeasureOptions how = measuring.measure_options(installation);
  const std::vector<WorkloadResult> unlistable = options.partial ? std::vector<WorkloadResult>() : found.unlistable;
  Result result = measure_all(workloads, unlistable, measuring, how, outline.testbed, streams, launcher);
  refuse_rules_without_measure(options, source, result);
  Judgement judgement = judge(result, baselines, options);
  const std::set<std::string> again = to_confirm(judgement, result);
  if (!again.empty()) {
    measure_again(result, again, workloads, measuring, how, streams, launcher);
    judgement = judge(result, baselines, options);
  }
  return {std::move(result), std::move(baselines), source.folder, std::move(judgement)};
}

}  // namespace allocgate
