// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// From the windows of a few processes to one series: value, class, slope. Pure functions in exact integers.
namespace allocgate {

/// What one window read: `value` over `iterations` iterations.
struct Point {
  std::uint64_t iterations = 0;
  Count value = 0;
};

/// The windows of one process, in any order and without the warm-up; N, 2N and 3N as a rule.
using ProcessPoints = std::vector<Point>;

/// The series of `measure` over `processes`, judged at `iterations` iterations.
///
/// - One sample a process: its value at `iterations`, or, where its windows had other counts, the value of the common
///   line there. A process that has neither gives no sample; with no sample at all there is no series.
/// - `linear` is true when there are windows of at least three different counts and the points of all processes lie on
///   one line with a whole set-up; false when they do not; absent with fewer counts, where a line proves nothing.
/// - `growth`, for live_allocations only: lower median over the processes of growth_of().
///
/// The unit and direction come from the table of measures; a measure that is not in it is a plain count of its program.
std::optional<Series> make_series(std::string_view measure, std::span<const ProcessPoints> processes,
                                  std::uint64_t iterations);

/// A line through every point, in exact integers: value = slope x iterations + setup.
struct Line {
  Slope slope;
  Count setup = 0;
};

/// The line on which all points lie, if they have at least three different iteration counts and a whole set-up.
std::optional<Line> line_through(std::span<const Point> points);

/// How the samples agree: exact when all are equal, stable when they spread over at most max(2, 0.5 % of the lower
/// median), else noisy. `samples` is ascending and not empty.
SeriesClass class_of(std::span<const Sample> samples);

/// Both together, ascending by value.
std::vector<Sample> merged_samples(std::span<const Sample> left, std::span<const Sample> right);

/// The smallest value that at least half of the samples do not exceed: always a value that was seen.
Count lower_median(std::span<const Sample> samples);

/// The smallest value that at least `percent` of a hundred of the samples do not exceed: always a value that was seen.
Count percentile(std::span<const Sample> samples, unsigned percent);

/// By how much the value rose from the shortest to the longest window, if every longer window read strictly more than
/// every shorter one; else 0. Absent with fewer than three different counts.
std::optional<Count> growth_of(const ProcessPoints& process);

}  // namespace allocgate
