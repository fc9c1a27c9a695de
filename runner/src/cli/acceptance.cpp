// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/acceptance.hpp"

#include "base/text.hpp"
#include "compare/rules.hpp"

#include <algorithm>
#include <array>

namespace allocgate {

namespace {

enum class RefusalKind { failed, blind, leak, unstable };

RefusalKind kind_of(const BaselineRefusal& refusal, const Result& result) {
  const auto workload =
      std::find_if(result.workloads.begin(), result.workloads.end(),
                   [&refusal](const WorkloadResult& candidate) { return candidate.name == refusal.workload; });
  if (workload == result.workloads.end()) {
    return RefusalKind::failed;
  }
  if (workload->status != WorkloadStatus::ok || workload->measures.empty()) {
    return workload->status == WorkloadStatus::blind ? RefusalKind::blind : RefusalKind::failed;
  }
  const auto series = workload->measures.find(refusal.measure);
  // A series that the baseline has and the result has not was not seen.
  if (series == workload->measures.end()) {
    return RefusalKind::blind;
  }
  if (is_leaking(refusal.measure, series->second)) {
    return RefusalKind::leak;
  }
  const bool zero = judged_value(series->second, workload->gate) == 0;
  return zero && zero_means_blind(refusal.measure) ? RefusalKind::blind : RefusalKind::unstable;
}

std::string name_of(const BaselineRefusal& refusal) {
  return refusal.measure.empty() ? refusal.workload : refusal.workload + ":" + refusal.measure;
}

bool accepts(const Acceptances& acceptances, const BaselineRefusal& refusal, const Result& result) {
  switch (kind_of(refusal, result)) {
    case RefusalKind::failed:
      return false;
    case RefusalKind::blind:
      return is_accepted(acceptances.blind, refusal.workload, refusal.measure);
    case RefusalKind::leak:
      return is_accepted(acceptances.leak, refusal.workload, refusal.measure);
    case RefusalKind::unstable:
      return is_accepted(acceptances.unstable, refusal.workload, refusal.measure);
  }
  return false;
}

}  // namespace

ExitCode code_of(const BaselineRefusal& refusal, const Result& result) {
  switch (kind_of(refusal, result)) {
    case RefusalKind::blind:
      return ExitCode::blind;
    case RefusalKind::leak:
      return ExitCode::regression;
    case RefusalKind::failed:
    case RefusalKind::unstable:
      return ExitCode::not_measured;
  }
  return ExitCode::not_measured;
}

std::string option_that_accepts(const BaselineRefusal& refusal, const Result& result) {
  const auto option = [&refusal](const char* name) {
    return shell_quoted(std::array<std::string, 2>{name, name_of(refusal)});
  };
  switch (kind_of(refusal, result)) {
    case RefusalKind::failed:
      return {};
    case RefusalKind::blind:
      return option("--accept-blind");
    case RefusalKind::leak:
      return option("--accept-leak");
    case RefusalKind::unstable:
      return option("--accept-unstable");
  }
  return {};
}

MadeBaseline make_accepted_baseline(const std::optional<Baseline>& existing, const Result& result,
                                    const std::string& suite, const std::string& reason, const std::string& commit,
                                    const std::string& time, MakeBaselineOptions options,
                                    const Acceptances& acceptances) {
  const auto make = [&] { return make_baseline(existing, result, suite, reason, commit, time, options); };
  // What is refused says what there is to accept; accepting it can bring up the next refusal, once for the workload and
  // once for its series.
  MadeBaseline made = make();
  for (std::size_t accepted_before = 0;;) {
    for (const BaselineRefusal& refusal : made.refusals) {
      if (accepts(acceptances, refusal, result)) {
        options.accepted.push_back(name_of(refusal));
      }
    }
    if (options.accepted.size() == accepted_before) {
      return made;
    }
    accepted_before = options.accepted.size();
    made = make();
  }
}

}  // namespace allocgate
