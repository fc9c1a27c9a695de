// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/comparison.hpp"

#include "compare/families.hpp"
#include "compare/layers.hpp"
#include "compare/time_remarks.hpp"
#include "model/names.hpp"
#include "model/slope.hpp"
#include "model/wide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace allocgate {

namespace {

using Key = std::pair<std::string, std::string>;  // suite and workload

const WorkloadResult* find_workload(const Result& result, const Key& key) {
  const auto found = std::find_if(result.workloads.begin(), result.workloads.end(), [&key](const WorkloadResult& w) {
    return w.suite == key.first && w.name == key.second;
  });
  return found != result.workloads.end() ? &*found : nullptr;
}

ComparisonCell cell_of(const WorkloadResult& workload, const Series& series) {
  return {workload.gate == Gate::min ? series.min : series.median, workload.iterations, series.series_class,
          series.slope};
}

bool same_cells(const std::optional<ComparisonCell>& left, const std::optional<ComparisonCell>& right) {
  return left && right && left->value == right->value && left->iterations == right->iterations &&
         left->slope.has_value() == right->slope.has_value() && (!left->slope || *left->slope == *right->slope);
}

void add_differences(ComparisonRow& row) {
  const auto& first = row.cells.front();
  const auto& last = row.cells.back();
  row.same =
      std::all_of(row.cells.begin(), row.cells.end(), [&first](const auto& cell) { return same_cells(first, cell); });
  if (!first || !last || row.cells.size() == 1) {
    return;
  }
  if (first->iterations == last->iterations) {
    row.difference = to_count(static_cast<Wide>(last->value) - first->value);
  }
  if (first->slope && last->slope) {
    row.slope_difference = difference(*last->slope, *first->slope);
  }
}

std::vector<std::string> measures_of(const std::vector<const WorkloadResult*>& workloads) {
  std::vector<std::string> present;
  for (const WorkloadResult* workload : workloads) {
    if (workload != nullptr) {
      for (const auto& [name, series] : workload->measures) {
        present.push_back(name);
      }
    }
  }
  return in_display_order(std::move(present));
}

bool same_lines(const std::optional<FamilySeries>& left, const std::optional<FamilySeries>& right) {
  return left && right && left->line && right->line && left->totals == right->totals &&
         left->iterations == right->iterations && left->line->fixed == right->line->fixed &&
         left->line->per_unit == right->line->per_unit;
}

/// Where in the table of measures, and then by name: the order of in_display_order for one name at a time.
std::size_t place_of(const std::string& measure) {
  const auto all = all_measures();
  return static_cast<std::size_t>(
      std::find_if(all.begin(), all.end(), [&measure](const MeasureInfo& info) { return info.name == measure; }) -
      all.begin());
}

std::vector<ComparisonFamily> families_side_by_side(std::span<const Result> results) {
  std::map<std::tuple<std::string, std::string, std::string, std::size_t, std::string>, ComparisonFamily> found;
  for (std::size_t index = 0; index < results.size(); ++index) {
    for (FamilySeries& series : all_family_series(results[index])) {
      ComparisonFamily& family =
          found[{series.suite, series.family, series.argument, place_of(series.measure), series.measure}];
      family.family = series.family;
      family.argument = series.argument;
      family.measure = series.measure;
      family.cells.resize(results.size());
      family.cells[index] = std::move(series);
    }
  }
  std::vector<ComparisonFamily> families;
  for (auto& [key, family] : found) {
    const auto& first = family.cells.front();
    family.same = std::all_of(family.cells.begin(), family.cells.end(),
                              [&first](const auto& cell) { return same_lines(first, cell); });
    families.push_back(std::move(family));
  }
  return families;
}

ComparisonRow row_of(const Key& key, const std::string& measure, const std::vector<const WorkloadResult*>& workloads) {
  ComparisonRow row;
  row.workload = key.second;
  row.measure = measure;
  for (const WorkloadResult* workload : workloads) {
    row.cells.emplace_back();
    if (workload == nullptr) {
      continue;
    }
    if (const auto found = workload->measures.find(measure); found != workload->measures.end()) {
      row.cells.back() = cell_of(*workload, found->second);
      row.unit = found->second.unit;
    }
  }
  add_differences(row);
  return row;
}

void add_time_remarks(const std::vector<const WorkloadResult*>& workloads, std::vector<std::string>& notes) {
  const WorkloadResult* first = workloads.front();
  const WorkloadResult* last = workloads.back();
  if (first == nullptr || last == nullptr) {
    return;
  }
  for (const auto& remark : {time_remark(*first, *last), processor_remark(*last)}) {
    if (remark) {
      notes.push_back(last->name + ": " + *remark);
    }
  }
}

}  // namespace

Comparison compare_results(std::span<const Result> results, std::span<const std::string> labels) {
  assert(!results.empty() && results.size() == labels.size());
  Comparison comparison;
  comparison.labels.assign(labels.begin(), labels.end());
  comparison.testbed_differences = differences(results.front().testbed, results.back().testbed);

  std::set<Key> keys;
  for (const Result& result : results) {
    for (const WorkloadResult& workload : result.workloads) {
      keys.emplace(workload.suite, workload.name);
    }
  }
  for (const Key& key : keys) {
    std::vector<const WorkloadResult*> workloads;
    for (std::size_t index = 0; index < results.size(); ++index) {
      const WorkloadResult* workload = find_workload(results[index], key);
      workloads.push_back(workload);
      if (workload == nullptr) {
        comparison.notes.push_back(fmt::format("{} is not in {}", key.second, labels[index]));
      } else if (workload->status != WorkloadStatus::ok) {
        comparison.notes.push_back(
            fmt::format("{} in {}: {}: {}", key.second, labels[index], name_of(workload->status), workload->error));
      }
    }
    add_time_remarks(workloads, comparison.notes);
    for (const std::string& measure : measures_of(workloads)) {
      comparison.rows.push_back(row_of(key, measure, workloads));
    }
  }
  comparison.families = families_side_by_side(results);
  comparison.stacks = stacks_side_by_side(results);
  return comparison;
}

}  // namespace allocgate
