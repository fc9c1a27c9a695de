// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/baseline.hpp"
#include "model/result.hpp"
#include "model/threshold.hpp"

#include <optional>
#include <span>
#include <string>

// Which threshold applies to one series, and whether a change is within it. Pure, in exact integers.
namespace allocgate {

/// The rule somebody wrote that applies to `measure` of `workload`, or nothing where only the defaults are left. The
/// more specific wins (workload and measure, workload, measure, neither); within a level the command line over the
/// baseline over the configuration; then a name over a glob, and of equals the last.
std::optional<ThresholdRule> written_rule(const std::string& workload, const std::string& measure,
                                          std::span<const ThresholdRule> rules,
                                          const std::optional<Threshold>& in_baseline);

/// The default: no increase for exact series, 1 % for others and where the workload declares `percent`.
ThresholdRule built_in_rule(SeriesClass series_class, const std::optional<Gate>& gate);

/// The percentage of the default for series that are not exact.
constexpr std::int64_t k_default_thousandths = 1000;

enum class Change { worse, within, better };

/// What going from `before` to `after` is under `threshold`. Worse is: after - before > max(absolute, percent x before)
/// in the measure's bad direction; better is the same the other way round. Without a direction any change beyond the
/// threshold is worse. A range does not look at `before`: beyond its bad end is worse, beyond the other one better.
Change change_under(const Threshold& threshold, Better better, Count before, Count after);

/// One side of a comparison.
struct Observed {
  Count value = 0;
  std::uint64_t iterations = 1;
  std::optional<Slope> slope;  // where the series is on a line
};

/// The same under every kind of threshold, for two values at the same number of iterations. What an iteration costs is
/// compared by the slopes, exactly, so that what happens once is not looked at; where a side has none, by the average.
/// Above a maximum is worse whatever the measure's direction, and nothing is better than one.
Change change_under(const Threshold& threshold, Better better, const Observed& before, const Observed& after);

/// Whether `accepted` (WORKLOAD or WORKLOAD:MEASURE) names this series, or the whole workload when `measure` is empty.
bool is_accepted(std::span<const std::string> accepted, const std::string& workload, const std::string& measure);

/// Whether a count of zero of this measure, where there was one before, means that nothing was seen.
bool zero_means_blind(const std::string& measure);

/// What is compared: the lower median, or the minimum for workloads that declare `min`.
Count judged_value(const Series& series, const std::optional<Gate>& gate);

/// Whether the live allocations of this series grow with the iterations.
bool is_leaking(const std::string& measure, const Series& series);

}  // namespace allocgate
