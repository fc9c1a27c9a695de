// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/layers.hpp"

#include "model/rational.hpp"
#include "model/slope.hpp"

#include <algorithm>
#include <string_view>

namespace allocgate {

namespace {

const WorkloadResult* workload_named(const Result& result, const std::string& name) {
  const auto found = std::find_if(result.workloads.begin(), result.workloads.end(),
                                  [&name](const WorkloadResult& workload) { return workload.name == name; });
  return found == result.workloads.end() ? nullptr : &*found;
}

std::optional<Slope> slope_in(const WorkloadResult* workload, std::string_view measure) {
  if (workload == nullptr || workload->status != WorkloadStatus::ok) {
    return std::nullopt;
  }
  const auto series = workload->measures.find(std::string(measure));
  return series == workload->measures.end() ? std::nullopt : series->second.slope;
}

std::optional<Slope> times(const std::optional<Slope>& slope, std::uint64_t times) {
  const auto factor = make_rational(static_cast<Wide>(times), 1);
  const auto product = slope ? rational_of(*slope) * *factor : std::nullopt;
  return product ? slope_of(*product) : std::nullopt;
}

/// The stack without its layers, if all of them are there.
std::optional<Slope> rest_of(const ComparisonStack& stack, std::size_t index) {
  std::optional<Slope> rest = stack.cells[index];
  for (const ComparisonLayer& layer : stack.layers) {
    if (!rest || !layer.cells[index]) {
      return std::nullopt;
    }
    rest = difference(*rest, *layer.cells[index]);
  }
  return rest;
}

ComparisonStack stack_of(const WorkloadResult& workload, std::string_view measure, std::span<const Result> results) {
  ComparisonStack stack;
  stack.workload = workload.name;
  stack.measure = measure;
  for (const WorkloadLayer& layer : workload.layers) {
    stack.layers.push_back({layer, {}});
  }
  for (std::size_t index = 0; index < results.size(); ++index) {
    stack.cells.push_back(slope_in(workload_named(results[index], workload.name), measure));
    for (ComparisonLayer& layer : stack.layers) {
      const WorkloadResult* alone = workload_named(results[index], layer.layer.workload);
      layer.cells.push_back(times(slope_in(alone, measure), layer.layer.times));
    }
    stack.rest.push_back(rest_of(stack, index));
  }
  return stack;
}

bool says_something(const std::vector<std::optional<Slope>>& cells) {
  return std::any_of(cells.begin(), cells.end(), [](const auto& cell) { return cell && cell->count != 0; });
}

bool says_something(const ComparisonStack& stack) {
  return says_something(stack.cells) ||
         std::any_of(stack.layers.begin(), stack.layers.end(),
                     [](const ComparisonLayer& layer) { return says_something(layer.cells); });
}

}  // namespace

std::vector<ComparisonStack> stacks_side_by_side(std::span<const Result> results) {
  std::vector<const WorkloadResult*> workloads;
  for (const Result& result : results) {
    for (const WorkloadResult* workload : sorted_workloads(result)) {
      const bool is_new = std::none_of(workloads.begin(), workloads.end(), [workload](const WorkloadResult* known) {
        return known->suite == workload->suite && known->name == workload->name;
      });
      if (is_new && !workload->layers.empty()) {
        workloads.push_back(workload);
      }
    }
  }
  std::vector<ComparisonStack> stacks;
  for (const WorkloadResult* workload : workloads) {
    for (const MeasureInfo& measure : all_measures()) {
      if (!measure.gated_by_default) {
        continue;
      }
      ComparisonStack stack = stack_of(*workload, measure.name, results);
      if (says_something(stack)) {
        stacks.push_back(std::move(stack));
      }
    }
  }
  return stacks;
}

}  // namespace allocgate
