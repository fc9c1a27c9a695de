// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/explanation.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "baselines/baseline_store.hpp"
#include "cli/output_options.hpp"
#include "cli/revision_measurer.hpp"
#include "cli/revision_workloads.hpp"
#include "cli/workload_stacks.hpp"
#include "recordings/read_recording.hpp"
#include "report/record_report.hpp"
#include "report/stacks_report.hpp"
#include "stacks/changed_place.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

namespace {

constexpr std::size_t k_most_lines = 60;  // of one workload: a page on a desk, and room for others in a log
constexpr std::size_t k_sites = 5;

bool is_explained_by_stacks(const Verdict& verdict) {
  return verdict.code != ExitCode::fine && !verdict.workload.empty() && verdict.argument.empty() &&
         (verdict.kind == VerdictKind::regression || verdict.kind == VerdictKind::leak);
}

/// Whether a difference of call stacks can be the reason: what they count.
bool is_counted_by_stacks(const std::string& measure) {
  return measure == "allocations" || measure == "allocated_bytes" || measure == "live_allocations" ||
         measure == "deallocations";
}

std::string cut_to_lines(const std::string& text, std::size_t most) {
  std::size_t end = 0;
  for (std::size_t line = 0; line < most && end < text.size(); ++line) {
    end = std::min(text.find('\n', end), text.size() - 1) + 1;
  }
  const auto rest = std::count(text.begin() + static_cast<std::ptrdiff_t>(end), text.end(), '\n');
  return rest == 0 ? text : fmt::format("{}({} lines more; 'allocgate diff' shows all)\n", text.substr(0, end), rest);
}

/// Of the workload's red verdicts the measure that is compared: bytes where only they moved.
std::string measure_of(const std::vector<Verdict*>& verdicts) {
  const auto is_of_bytes = [](const Verdict* verdict) { return verdict->measure == "allocated_bytes"; };
  return std::all_of(verdicts.begin(), verdicts.end(), is_of_bytes) ? "allocated_bytes" : "allocations";
}

struct Explained {
  std::string text;
  std::optional<SourcePlace> place;
};

Explained explained(const StacksOfBoth& stacks, const std::string& measure) {
  if (!stacks.now) {
    return {fmt::format("no call stacks: {}\n", stacks.now_missing), std::nullopt};
  }
  if (!stacks.before) {
    return {fmt::format("there are no call stacks of before to compare with: {}; what allocates most now:\n{}",
                        stacks.before_missing, record_report(*stacks.now, k_sites, Style(), k_indented_width)),
            std::nullopt};
  }
  DiffOptions options;
  options.measure = measure;
  const StackDiff diff(*stacks.before, *stacks.now, options);
  return {cut_to_lines(stack_diff_report(diff, Style(), k_indented_width), k_most_lines), changed_place(diff)};
}

/// Records one workload; why it could not be is a value here, because the verdict stands without it.
void record(const std::string& name, const MeasuringOptions& measuring, const LoadedConfiguration& configuration,
            StacksOfBoth& stacks) {
  try {
    PosixLauncher launcher;
    NamingOptions naming;
    naming.source_root = source_root_of(configuration);
    stacks.now = recorded_workload(name, measuring, configuration, naming, launcher);
  } catch (const Error& error) {
    if (error.code() == ExitCode::interrupted) {
      throw;
    }
    stacks.now_missing = error.what();
  }
}

void read_kept(const std::string& name, const Judged& judged, StacksOfBoth& stacks) {
  for (const Baseline& baseline : judged.baselines) {
    const auto entry = baseline.workloads.find(name);
    if (entry == baseline.workloads.end()) {
      continue;
    }
    if (entry->second.stacks.empty() || judged.folder.empty()) {
      break;
    }
    try {
      stacks.before =
          read_recording(BaselineStore(judged.folder).stacks_file(baseline.testbed.id, entry->second.stacks));
    } catch (const Error& error) {
      stacks.before_missing = error.what();
    }
    return;
  }
  stacks.before_missing = "'baseline update --with-stacks' keeps them beside the values";
}

/// The iterations of the window that was judged.
std::uint64_t iterations_of(const std::string& name, const Judged& judged) {
  for (const WorkloadResult& workload : judged.result.workloads) {
    if (workload.name == name) {
      return workload.iterations;
    }
  }
  return 0;
}

}  // namespace

std::vector<std::string> workloads_to_explain(const Judgement& judgement) {
  std::vector<std::string> names;
  for (const Verdict& verdict : judgement.verdicts) {
    if (is_explained_by_stacks(verdict) && is_counted_by_stacks(verdict.measure) &&
        std::find(names.begin(), names.end(), verdict.workload) == names.end()) {
      names.push_back(verdict.workload);
    }
  }
  return names;
}

std::map<std::string, StacksOfBoth> stacks_against_baseline(const std::vector<std::string>& names, const Judged& judged,
                                                            const MeasuringOptions& measuring,
                                                            const LoadedConfiguration& configuration) {
  std::map<std::string, StacksOfBoth> all;
  for (const std::string& name : names) {
    StacksOfBoth& stacks = all[name];
    read_kept(name, judged, stacks);
    MeasuringOptions same_window = measuring;
    same_window.iterations = iterations_of(name, judged);
    record(name, same_window, configuration, stacks);
  }
  return all;
}

std::map<std::string, StacksOfBoth> stacks_against_revision(const std::vector<std::string>& names,
                                                            const AgainstRevisionOptions& options,
                                                            const MeasuringOptions& measuring,
                                                            const LoadedConfiguration& configuration,
                                                            const Streams& streams) {
  PosixLauncher launcher;
  const Repository repository({}, launcher);
  BuildPlan plan = options.build.plan(configuration, "--against-rev");
  plan.measures = false;
  plan.recorded = names;
  MeasuringOptions named = measuring;
  named.names = names;
  RevisionMeasurer measurer(repository, plan, named, configuration, "--against-rev", streams);
  const std::vector<BuiltPlace> places = {{repository.resolve(options.revision), {}, "base", {}},
                                          {repository.of_work_tree(), {}, "head", {}}};
  std::vector<PlaceOutcome> outcomes = measurer.measure(places);
  const auto take = [](PlaceOutcome& outcome, const std::string& name, std::optional<Recording>& recording,
                       std::string& missing) {
    const auto found = outcome.stacks.find(name);
    if (found != outcome.stacks.end()) {
      recording = std::move(*found->second);
      return;
    }
    const auto why = outcome.stacks_missing.find(name);
    missing = why == outcome.stacks_missing.end() ? outcome.reason : why->second;
  };
  std::map<std::string, StacksOfBoth> all;
  for (const std::string& name : names) {
    StacksOfBoth& stacks = all[name];
    take(outcomes[0], name, stacks.before, stacks.before_missing);
    take(outcomes[1], name, stacks.now, stacks.now_missing);
  }
  return all;
}

void explain(Judgement& judgement, const std::map<std::string, StacksOfBoth>& stacks) {
  for (const auto& [name, both] : stacks) {
    std::vector<Verdict*> verdicts;
    for (Verdict& verdict : judgement.verdicts) {
      if (verdict.workload == name && is_explained_by_stacks(verdict) && is_counted_by_stacks(verdict.measure)) {
        verdicts.push_back(&verdict);
      }
    }
    if (verdicts.empty()) {
      continue;
    }
    const Explained what = explained(both, measure_of(verdicts));
    for (Verdict* verdict : verdicts) {
      verdict->place = what.place;
    }
    verdicts.front()->explanation = what.text;
  }
}

}  // namespace allocgate
