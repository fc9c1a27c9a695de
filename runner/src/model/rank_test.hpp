// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstdint>

namespace allocgate {

/// What the values of two sets of processes say about each other, by their ranks alone.
struct RankTest {
  std::uint64_t before = 0;  // how many processes on each side
  std::uint64_t after = 0;
  double p = 1;           // Mann-Whitney, two-sided
  double adjusted_p = 1;  // by Holm over all tests of one judgement
  /// How often a value of after is greater than one of before, less how often it is smaller: from -1 to 1
  /// (Cliff's delta, the rank-biserial correlation).
  double effect = 0;
  /// Whether so many processes could reach significance at all. If not, the threshold alone decides.
  bool can_decide = false;

  /// Whether the difference is more than chance at the 5 % level of all tests together.
  [[nodiscard]] bool significant() const { return adjusted_p <= k_level; }

  static constexpr double k_level = 0.05;
};

}  // namespace allocgate
