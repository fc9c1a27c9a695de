// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/measured_value.hpp"
#include "model/threshold.hpp"

#include <cstdint>
#include <optional>

// Is a value of one place another than that of the next? Pure, in exact integers but for the rank test.
namespace allocgate {

enum class PointDifference {
  same,
  different,
  unclear,  // chance cannot be told from a change yet: measure both more often
};

/// What is between two values at the same number of iterations. Between exact ones each difference beyond `threshold`
/// (absent: any) is one. Where a side is not exact (absent threshold: 1 %), it is one if no process of one side reached
/// the other's values, or if the ranks of the processes say so at the 1 % level; else unclear while either side has
/// fewer than `most_processes`, and same from there on.
PointDifference difference_between(const MeasuredValue& before, const MeasuredValue& after,
                                   const std::optional<Threshold>& threshold, std::uint64_t most_processes);

}  // namespace allocgate
