// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/ratchet.hpp"

#include "compare/rules.hpp"

#include <algorithm>

namespace allocgate {

namespace {

const WorkloadResult* find_workload(const Result& result, const std::string& suite, const std::string& name) {
  const auto found =
      std::find_if(result.workloads.begin(), result.workloads.end(),
                   [&](const WorkloadResult& workload) { return workload.suite == suite && workload.name == name; });
  return found != result.workloads.end() ? &*found : nullptr;
}

void take_over(const Verdict& verdict, const Series& series, BaselineMeasure& measure) {
  // The verdict's value is at the iterations of the baseline's entry.
  measure.value = *verdict.after;
  measure.series_class = series.series_class;
  measure.slope = series.slope;
  measure.samples = series.series_class == SeriesClass::exact ? std::vector<Sample>() : series.samples;
  measure.leak_accepted = measure.leak_accepted && is_leaking(verdict.measure, series);
}

}  // namespace

std::vector<Baseline> ratchet(const std::vector<Baseline>& baselines, const Result& result, const Judgement& judgement,
                              const RatchetMark& mark) {
  std::vector<Baseline> changed;
  for (const Baseline& baseline : baselines) {
    Baseline next = baseline;
    bool differs = false;
    for (const Verdict& verdict : judgement.verdicts) {
      const auto entry = next.workloads.find(verdict.workload);
      if (verdict.kind != VerdictKind::improvement || verdict.suite != baseline.suite ||
          entry == next.workloads.end()) {
        continue;
      }
      const WorkloadResult* workload = find_workload(result, baseline.suite, verdict.workload);
      const auto measure = entry->second.measures.find(verdict.measure);
      if (workload == nullptr || measure == entry->second.measures.end()) {
        continue;
      }
      take_over(verdict, workload->measures.at(verdict.measure), measure->second);
      entry->second.updated_at = mark.time;
      entry->second.commit = mark.commit;
      entry->second.reason = mark.reason;
      differs = true;
    }
    if (differs) {
      changed.push_back(std::move(next));
    }
  }
  return changed;
}

}  // namespace allocgate
