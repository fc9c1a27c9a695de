// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/merge_results.hpp"

#include "base/error.hpp"
#include "model/series.hpp"
#include "model/slope.hpp"
#include "model/wide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace allocgate {

namespace {

Series merged_series(Series first, const Series& again) {
  first.samples = merged_samples(first.samples, again.samples);
  if (first.samples.empty()) {
    return first;
  }
  first.series_class = class_of(first.samples);
  first.min = first.samples.front().value;
  first.max = first.samples.back().value;
  first.median = lower_median(first.samples);
  if (first.p90 && again.p90) {
    constexpr unsigned k_high_percentile = 90;
    first.p90 = percentile(first.samples, k_high_percentile);
  } else {
    first.p90.reset();
  }
  const bool same_line = first.slope && again.slope && *first.slope == *again.slope && first.setup == again.setup &&
                         first.linear == again.linear;
  if (!same_line) {
    if (first.linear || again.linear) {
      first.linear = false;
    }
    first.slope.reset();
    first.setup.reset();
  }
  // Growth must show in both to be believed: the lesser says so.
  first.growth = first.growth && again.growth ? std::min(first.growth, again.growth) : std::nullopt;
  first.error_bound = std::max(first.error_bound, again.error_bound);
  return first;
}

/// The least and the greatest median of one series over the results that have it.
std::pair<Count, Count> medians_of(std::span<const Result> results, const WorkloadResult& workload,
                                   const std::string& measure) {
  std::vector<Count> medians;
  for (const Result& result : results) {
    for (const WorkloadResult& candidate : result.workloads) {
      const auto series = candidate.measures.find(measure);
      if (candidate.name == workload.name && candidate.suite == workload.suite && series != candidate.measures.end()) {
        medians.push_back(series->second.median);
      }
    }
  }
  const auto [least, greatest] = std::minmax_element(medians.begin(), medians.end());
  return medians.empty() ? std::pair<Count, Count>() : std::pair(*least, *greatest);
}

}  // namespace

void merge_workload(WorkloadResult& first, const WorkloadResult& again) {
  if (again.status != WorkloadStatus::ok) {
    first.status = again.status;
    first.error = again.error;
    return;
  }
  if (first.status != WorkloadStatus::ok) {
    return;
  }
  if (first.iterations != again.iterations) {
    throw Error(
        ExitCode::usage,
        fmt::format("cannot join two measurements of '{}': one is of {} iterations, the other of {}; measure both "
                    "with the same --iterations",
                    first.name, first.iterations, again.iterations));
  }
  std::map<std::string, Series> merged;
  for (const auto& [name, series] : first.measures) {
    const auto other = again.measures.find(name);
    if (other != again.measures.end()) {
      merged.emplace(name, merged_series(series, other->second));
    }
  }
  first.measures = std::move(merged);
  first.size_classes = again.size_classes;
  first.processes = again.processes;
  first.notes = again.notes;
}

Result merge_results(std::span<const Result> results, std::span<const std::string> names) {
  Result merged = results.front();
  merged.workloads.clear();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].testbed.id != merged.testbed.id || results[i].testbed.fields != merged.testbed.fields) {
      throw Error(ExitCode::usage,
                  fmt::format("cannot join '{}' ({}) and '{}' ({}): they are of different testbeds; update "
                              "from one at a time",
                              names.front(), merged.testbed.id, names[i], results[i].testbed.id));
    }
    for (const WorkloadResult& workload : results[i].workloads) {
      const auto known =
          std::find_if(merged.workloads.begin(), merged.workloads.end(), [&workload](const WorkloadResult& candidate) {
            return candidate.name == workload.name && candidate.suite == workload.suite;
          });
      if (known == merged.workloads.end()) {
        merged.workloads.push_back(workload);
      } else {
        merge_workload(*known, workload);
      }
    }
  }
  return merged;
}

Result merge_repeats(std::span<const Result> results, std::span<const std::string> names) {
  Result merged = merge_results(results, names);
  merged.duration_ns = 0;
  for (const Result& result : results) {
    merged.duration_ns += result.duration_ns;
  }
  for (WorkloadResult& workload : merged.workloads) {
    for (auto& [name, series] : workload.measures) {
      const auto [least, greatest] = medians_of(results, workload, name);
      series.repeat_spread = to_count(static_cast<Wide>(greatest) - least);
    }
  }
  return merged;
}

}  // namespace allocgate
