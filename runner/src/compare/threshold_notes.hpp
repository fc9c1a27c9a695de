// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/comparison.hpp"
#include "model/threshold.hpp"

#include <span>

namespace allocgate {

/// Adds to the notes of a comparison what the project's rules say of its changes, from the first to the last: which go
/// beyond what they allow. Series without a rule are passed over, because a comparison judges nothing by itself.
void add_threshold_notes(std::span<const ThresholdRule> rules, Comparison& comparison);

}  // namespace allocgate
