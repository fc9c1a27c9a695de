// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

// Where along a line of points (commits, toolchains) does a value change? Pure: what a point is and how it is measured
// is the caller's.
namespace allocgate {

/// Between two neighbours that could be measured the value changed. `skipped` are the points between them, in order,
/// none of which could be: the change is in one of them or in `after`.
struct FoundStep {
  std::size_t before = 0;
  std::size_t after = 0;
  std::vector<std::size_t> skipped;
};

/// How the caller's points are asked.
struct PointQuestions {
  /// Measures these points, in any order or at once, and says of each whether it could be. No point is asked twice.
  std::function<std::vector<bool>(std::span<const std::size_t>)> measure;
  /// Whether two measured points differ, the smaller index first. May measure them more often.
  std::function<bool(std::size_t, std::size_t)> differ;
};

struct SearchPlan {
  std::size_t grid = 1;  // measured in this many equal parts first, whose ends are compared each: steps that cancel
  std::size_t jobs = 1;  // points asked at once; above 1 more may be asked than one after another would need
};

/// What a search found.
struct SearchEnd {
  std::vector<FoundStep> steps;      // in the order of the points
  std::vector<std::size_t> skipped;  // every point that could not be measured, ascending
};

/// Every step between the first and the last of `points` points (2 or more), which have been measured already:
/// recursion into each half whose ends differ, so about k * log2(n / k) + 2 points are measured for k steps among n.
/// Steps inside of a part whose ends are equal are not seen; a finer `grid` is for those. A point that cannot be
/// measured is passed over in favour of the middle of the longest untried run beside it.
SearchEnd find_steps(std::size_t points, const SearchPlan& plan, const PointQuestions& questions);

}  // namespace allocgate
