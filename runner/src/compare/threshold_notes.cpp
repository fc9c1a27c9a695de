// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/threshold_notes.hpp"

#include "compare/rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

namespace {

Better direction_of(const std::string& measure) {
  const MeasureInfo* known = find_measure(measure);
  return known != nullptr ? known->better : Better::lower;
}

Observed observed(const ComparisonCell& cell) {
  return {cell.value, cell.iterations, cell.slope};
}

}  // namespace

void add_threshold_notes(std::span<const ThresholdRule> rules, Comparison& comparison) {
  for (const ComparisonRow& row : comparison.rows) {
    const auto rule = written_rule(row.workload, row.measure, rules, std::nullopt);
    const std::optional<ComparisonCell>& last = row.cells.back();
    if (!rule || row.same || !last) {
      continue;
    }
    const std::optional<ComparisonCell>& first = needs_no_baseline(rule->threshold) ? last : row.cells.front();
    if (!first || first->iterations != last->iterations) {
      continue;
    }
    if (change_under(rule->threshold, direction_of(row.measure), observed(*first), observed(*last)) == Change::worse) {
      comparison.notes.push_back(
          fmt::format("{} {} goes beyond its threshold, {}", row.workload, row.measure, describe(*rule)));
    }
  }
}

}  // namespace allocgate
