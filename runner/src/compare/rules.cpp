// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/rules.hpp"

#include "base/text.hpp"
#include "model/wide.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>

namespace allocgate {

namespace {

bool applies(const ThresholdRule& rule, const std::string& workload, const std::string& measure) {
  return (rule.workload.empty() || rule.workload == workload || glob_matches(rule.workload, workload)) &&
         (rule.measure.empty() || rule.measure == measure);
}

// Greater is stronger.
auto strength_of(const ThresholdRule& rule, const std::string& workload) {
  const int names = (rule.workload.empty() ? 0 : 2) + (rule.measure.empty() ? 0 : 1);
  return std::tuple(names, -static_cast<int>(rule.source), rule.workload == workload);
}

Change change_in_range(const Threshold::Range& range, Better better, Count after) {
  if (after >= range.lowest && after <= range.highest) {
    return Change::within;
  }
  const bool above = after > range.highest;
  switch (better) {
    case Better::lower:
      return above ? Change::worse : Change::better;
    case Better::higher:
      return above ? Change::better : Change::worse;
    case Better::neither:
      break;
  }
  return Change::worse;
}

// Whether `amount` is more than the threshold allows from `before` on.
bool exceeds(Wide amount, const Threshold& threshold, Count before) {
  constexpr Wide k_thousandths_of_a_percent = 100'000;
  const Wide part = magnitude(static_cast<Wide>(before)) * threshold.thousandths.value_or(0);
  return amount > threshold.absolute.value_or(0) && amount * k_thousandths_of_a_percent > part;
}

}  // namespace

std::optional<ThresholdRule> written_rule(const std::string& workload, const std::string& measure,
                                          std::span<const ThresholdRule> rules,
                                          const std::optional<Threshold>& in_baseline) {
  std::optional<ThresholdRule> strongest;
  const auto consider = [&](const ThresholdRule& rule) {
    if (applies(rule, workload, measure) &&
        (!strongest || strength_of(rule, workload) >= strength_of(*strongest, workload))) {
      strongest = rule;
    }
  };
  std::for_each(rules.begin(), rules.end(), consider);
  if (in_baseline) {
    consider({workload, measure, *in_baseline, ThresholdSource::baseline});
  }
  return strongest;
}

ThresholdRule built_in_rule(SeriesClass series_class, const std::optional<Gate>& gate) {
  ThresholdRule rule;
  if (series_class != SeriesClass::exact || gate == Gate::percent) {
    rule.threshold.thousandths = k_default_thousandths;
  } else {
    rule.threshold.absolute = 0;
  }
  return rule;
}

Change change_under(const Threshold& threshold, Better better, Count before, Count after) {
  if (threshold.range) {
    return change_in_range(*threshold.range, better, after);
  }
  const Wide rise = static_cast<Wide>(after) - before;
  if (!exceeds(magnitude(rise), threshold, before)) {
    return Change::within;
  }
  if (better == Better::neither) {
    return Change::worse;
  }
  return (rise > 0) == (better == Better::lower) ? Change::worse : Change::better;
}

bool is_accepted(std::span<const std::string> accepted, const std::string& workload, const std::string& measure) {
  return std::any_of(accepted.begin(), accepted.end(), [&](const std::string& name) {
    return name == workload || (!measure.empty() && name == workload + ":" + measure);
  });
}

bool zero_means_blind(const std::string& measure) {
  constexpr auto k_always_there = std::to_array<std::string_view>({"allocations", "allocated_bytes"});
  return std::find(k_always_there.begin(), k_always_there.end(), measure) != k_always_there.end();
}

Count judged_value(const Series& series, const std::optional<Gate>& gate) {
  return gate == Gate::min ? series.min : series.median;
}

bool is_leaking(const std::string& measure, const Series& series) {
  if (measure != "live_allocations") {
    return false;
  }
  return series.slope ? series.slope->count > 0 : series.growth.value_or(0) > 0;
}

}  // namespace allocgate
