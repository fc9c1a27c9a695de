// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/rules.hpp"

#include "base/text.hpp"
#include "model/slope.hpp"
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

Change change_of_sign(bool is_rise, Better better) {
  if (better == Better::neither) {
    return Change::worse;
  }
  return is_rise == (better == Better::lower) ? Change::worse : Change::better;
}

constexpr Wide k_in_one = 1000;

// Whether `count` in so many iterations is more than `thousandths` each.
bool is_more_than_each(Wide count, std::uint64_t iterations, std::int64_t thousandths) {
  return count * k_in_one > static_cast<Wide>(thousandths) * static_cast<Wide>(iterations);
}

Change change_per_iteration(std::int64_t thousandths, Better better, const Observed& before, const Observed& after) {
  Wide rise = static_cast<Wide>(after.value) - before.value;
  std::uint64_t iterations = after.iterations;
  if (before.slope && after.slope) {
    if (const auto slope = difference(*after.slope, *before.slope)) {
      rise = slope->count;
      iterations = slope->iterations;
    }
  }
  return is_more_than_each(magnitude(rise), iterations, thousandths) ? change_of_sign(rise > 0, better)
                                                                     : Change::within;
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
  return change_of_sign(rise > 0, better);
}

Change change_under(const Threshold& threshold, Better better, const Observed& before, const Observed& after) {
  if (threshold.maximum) {
    return after.value > *threshold.maximum ? Change::worse : Change::within;
  }
  if (const auto thousandths = threshold.maximum_per_iteration_thousandths) {
    const bool is_above = after.slope ? is_more_than_each(after.slope->count, after.slope->iterations, *thousandths)
                                      : is_more_than_each(after.value, after.iterations, *thousandths);
    return is_above ? Change::worse : Change::within;
  }
  if (threshold.per_iteration_thousandths) {
    return change_per_iteration(*threshold.per_iteration_thousandths, better, before, after);
  }
  return change_under(threshold, better, before.value, after.value);
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
