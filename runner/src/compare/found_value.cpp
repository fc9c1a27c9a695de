// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/found_value.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace allocgate {

namespace {

/// Of a program that could not list its workloads the result has a failed one of another name.
std::string reason_without_workload(const Result& result, const std::string& name) {
  std::vector<std::string> names;
  for (const WorkloadResult& workload : result.workloads) {
    if (workload.status != WorkloadStatus::ok) {
      return fmt::format("{} was not measured: {}", workload.name, workload.error);
    }
    names.push_back(workload.name);
  }
  return fmt::format("it has no workload '{}'{}", name, did_you_mean(name, names));
}

std::string reason_without_measure(const WorkloadResult& workload, const std::string& measure) {
  std::vector<std::string> names;
  for (const auto& [name, series] : workload.measures) {
    names.push_back(name);
  }
  return fmt::format("{} has no measure '{}'{}", workload.name, measure, did_you_mean(measure, names));
}

}  // namespace

FoundValue find_value(const Result& result, const std::string& workload, const std::string& measure) {
  const auto found = std::find_if(result.workloads.begin(), result.workloads.end(),
                                  [&workload](const WorkloadResult& candidate) { return candidate.name == workload; });
  if (found == result.workloads.end()) {
    return {std::nullopt, {}, reason_without_workload(result, workload)};
  }
  if (found->status != WorkloadStatus::ok) {
    return {std::nullopt, {}, fmt::format("{} was not measured: {}", found->name, found->error)};
  }
  const auto series = found->measures.find(measure);
  if (series == found->measures.end()) {
    return {std::nullopt, {}, reason_without_measure(*found, measure)};
  }
  return {measured_value(*found, series->second), series->second.unit, {}};
}

FoundValue at_iterations(FoundValue found, std::uint64_t iterations) {
  if (!found.value) {
    return found;
  }
  const std::uint64_t own = found.value->iterations;
  found.value = value_at(*found.value, iterations);
  if (!found.value) {
    found.reason = fmt::format("it runs {} iterations where others run {}, and is on no line; --iterations sets them",
                               grouped_unsigned(own), grouped_unsigned(iterations));
  }
  return found;
}

}  // namespace allocgate
