// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/measured_judgement.hpp"

#include "compare/rules.hpp"
#include "model/names.hpp"
#include "model/slope.hpp"

#include <fmt/format.h>

namespace allocgate {

namespace {

Verdict verdict_on(const WorkloadResult& workload) {
  Verdict verdict;
  verdict.suite = workload.suite;
  verdict.workload = workload.name;
  verdict.iterations = workload.iterations;
  return verdict;
}

Verdict not_measured(const WorkloadResult& workload) {
  Verdict verdict = verdict_on(workload);
  const bool blind = workload.status == WorkloadStatus::blind;
  verdict.kind = blind ? VerdictKind::blind : VerdictKind::failed;
  verdict.code = blind ? ExitCode::blind : ExitCode::not_measured;
  verdict.sentence = fmt::format("{}: {}: {}", workload.name, name_of(workload.status), workload.error);
  return verdict;
}

}  // namespace

Judgement judgement_of_measuring(const Result& result) {
  Judgement judgement;
  for (const WorkloadResult* workload : sorted_workloads(result)) {
    if (workload->status != WorkloadStatus::ok) {
      judgement.verdicts.push_back(not_measured(*workload));
      judgement.exit_code = worse_of(judgement.exit_code, judgement.verdicts.back().code);
      continue;
    }
    std::vector<std::string> measures;
    for (const auto& [name, series] : workload->measures) {
      measures.push_back(name);
    }
    for (const std::string& measure : in_display_order(std::move(measures))) {
      const Series& series = workload->measures.at(measure);
      Verdict verdict = verdict_on(*workload);
      verdict.measure = measure;
      verdict.after = judged_value(series, workload->gate);
      verdict.slope_after = series.slope;
      verdict.sentence = fmt::format("{} {}: {} ({})", workload->name, measure,
                                     series_text(series, workload->iterations), name_of(series.series_class));
      judgement.verdicts.push_back(std::move(verdict));
    }
  }
  return judgement;
}

}  // namespace allocgate
