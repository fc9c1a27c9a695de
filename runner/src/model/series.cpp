// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/series.hpp"

#include "model/slope.hpp"
#include "model/wide.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <string>

namespace allocgate {

namespace {

constexpr std::size_t k_counts_for_a_line = 3;
constexpr Count k_stable_spread = 2;
constexpr Wide k_stable_per_mille = 5;

// Smallest and greatest value of the windows of one iteration count.
struct Extent {
  Count lowest;
  Count highest;
};

std::map<std::uint64_t, Extent> by_iterations(std::span<const Point> points) {
  std::map<std::uint64_t, Extent> extents;
  for (const Point& point : points) {
    auto [entry, added] = extents.try_emplace(point.iterations, Extent{point.value, point.value});
    if (!added) {
      entry->second.lowest = std::min(entry->second.lowest, point.value);
      entry->second.highest = std::max(entry->second.highest, point.value);
    }
  }
  return extents;
}

// later - earlier without overflow: a sign and a magnitude that always fits.
struct Step {
  bool falls;
  std::uint64_t size;
};

Step step_between(Count earlier, Count later) {
  const auto from = static_cast<std::uint64_t>(earlier);
  const auto to = static_cast<std::uint64_t>(later);
  return later < earlier ? Step{true, from - to} : Step{false, to - from};
}

// Whether `point` lies on the line through `start` with `rise` events over `run` iterations.
bool on_line(const Point& start, const Step& rise, std::uint64_t run, const Point& point) {
  const Step step = step_between(start.value, point.value);
  const UnsignedWide left = static_cast<UnsignedWide>(step.size) * run;
  const UnsignedWide right = static_cast<UnsignedWide>(rise.size) * (point.iterations - start.iterations);
  return left == right && (left == 0 || step.falls == rise.falls);
}

// slope x iterations, if it is whole.
std::optional<Wide> events_over(const Slope& slope, std::uint64_t iterations) {
  const Wide product = static_cast<Wide>(slope.count) * static_cast<Wide>(iterations);
  const auto divisor = static_cast<Wide>(slope.iterations);
  return product % divisor == 0 ? std::optional(product / divisor) : std::nullopt;
}

std::optional<Count> value_on(const Line& line, std::uint64_t iterations) {
  const auto events = events_over(line.slope, iterations);
  return events ? to_count(*events + line.setup) : std::nullopt;
}

Count lower_middle(std::vector<Count> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The one value that a process gives to the series.
std::optional<Count> sample_of(const ProcessPoints& process, std::uint64_t iterations,
                               const std::optional<Line>& common) {
  std::vector<Count> values;
  for (const Point& point : process) {
    if (point.iterations == iterations) {
      values.push_back(point.value);
    }
  }
  if (!values.empty()) {
    return lower_middle(std::move(values));
  }
  return common && !process.empty() ? value_on(*common, iterations) : std::nullopt;
}

std::optional<Count> growth_over(std::span<const ProcessPoints> processes) {
  std::vector<Count> growths;
  for (const ProcessPoints& process : processes) {
    if (const auto growth = growth_of(process)) {
      growths.push_back(*growth);
    }
  }
  return growths.empty() ? std::nullopt : std::optional(lower_middle(std::move(growths)));
}

std::vector<Sample> samples_of(std::span<const ProcessPoints> processes, std::uint64_t iterations,
                               const std::optional<Line>& common) {
  std::map<Count, std::uint64_t> times;
  for (const ProcessPoints& process : processes) {
    if (const auto value = sample_of(process, iterations, common)) {
      ++times[*value];
    }
  }
  std::vector<Sample> samples;
  for (const auto& [value, count] : times) {
    samples.push_back({value, count});
  }
  return samples;
}

}  // namespace

std::optional<Line> line_through(std::span<const Point> points) {
  const auto extents = by_iterations(points);
  if (extents.size() < k_counts_for_a_line) {
    return std::nullopt;
  }
  const auto& [first, first_extent] = *extents.begin();
  const auto& [last, last_extent] = *std::prev(extents.end());
  const Point start{first, first_extent.lowest};
  const Step rise = step_between(start.value, last_extent.lowest);
  const std::uint64_t run = last - first;
  if (!std::all_of(points.begin(), points.end(),
                   [&](const Point& point) { return on_line(start, rise, run, point); })) {
    return std::nullopt;
  }
  const std::uint64_t divisor = std::max<std::uint64_t>(std::gcd(rise.size, run), 1);
  const Wide size = rise.size / divisor;
  const auto count = to_count(rise.falls ? -size : size);
  if (!count) {
    return std::nullopt;
  }
  Line line{{*count, run / divisor}, 0};
  const auto events = events_over(line.slope, first);
  const auto setup = events ? to_count(static_cast<Wide>(start.value) - *events) : std::nullopt;
  if (!setup) {
    return std::nullopt;
  }
  line.setup = *setup;
  return line;
}

SeriesClass class_of(std::span<const Sample> samples) {
  const Wide spread = static_cast<Wide>(samples.back().value) - samples.front().value;
  if (spread == 0) {
    return SeriesClass::exact;
  }
  constexpr Wide k_per_mille = 1000;
  const Wide part = magnitude(static_cast<Wide>(lower_median(samples))) * k_stable_per_mille;
  return spread <= k_stable_spread || spread * k_per_mille <= part ? SeriesClass::stable : SeriesClass::noisy;
}

std::vector<Sample> merged_samples(std::span<const Sample> left, std::span<const Sample> right) {
  std::map<Count, std::uint64_t> times;
  for (const std::span<const Sample>& samples : {left, right}) {
    for (const Sample& sample : samples) {
      times[sample.value] += sample.times;
    }
  }
  std::vector<Sample> merged;
  for (const auto& [value, count] : times) {
    merged.push_back({value, count});
  }
  return merged;
}

Count lower_median(std::span<const Sample> samples) {
  return percentile(samples, 50);
}

Count percentile(std::span<const Sample> samples, unsigned percent) {
  std::uint64_t total = 0;
  for (const Sample& sample : samples) {
    total += sample.times;
  }
  std::uint64_t seen = 0;
  for (const Sample& sample : samples) {
    seen += sample.times;
    if (static_cast<UnsignedWide>(seen) * 100 >= static_cast<UnsignedWide>(total) * percent) {
      return sample.value;
    }
  }
  return samples.back().value;
}

std::optional<Count> growth_of(const ProcessPoints& process) {
  const auto extents = by_iterations(process);
  if (extents.size() < k_counts_for_a_line) {
    return std::nullopt;
  }
  for (auto shorter = extents.begin(), longer = std::next(shorter); longer != extents.end(); ++shorter, ++longer) {
    if (longer->second.lowest <= shorter->second.highest) {
      return 0;
    }
  }
  const Wide growth = static_cast<Wide>(std::prev(extents.end())->second.lowest) - extents.begin()->second.highest;
  return to_count(growth).value_or(std::numeric_limits<Count>::max());
}

std::optional<Series> make_series(std::string_view measure, std::span<const ProcessPoints> processes,
                                  std::uint64_t iterations) {
  std::vector<Point> points;
  for (const ProcessPoints& process : processes) {
    points.insert(points.end(), process.begin(), process.end());
  }
  const auto line = line_through(points);

  Series series;
  series.samples = samples_of(processes, iterations, line);
  if (series.samples.empty()) {
    return std::nullopt;
  }
  const MeasureInfo* known = find_measure(measure);
  series.unit = known != nullptr ? known->unit : "count";
  series.better = known != nullptr ? known->better : Better::neither;
  series.series_class = class_of(series.samples);
  series.min = series.samples.front().value;
  series.median = lower_median(series.samples);
  series.max = series.samples.back().value;
  if (by_iterations(points).size() >= k_counts_for_a_line) {
    series.linear = line.has_value();
  }
  if (line) {
    series.slope = line->slope;
    series.setup = line->setup;
  }
  if (measure == "live_allocations") {
    series.growth = growth_over(processes);
  }
  return series;
}

}  // namespace allocgate
