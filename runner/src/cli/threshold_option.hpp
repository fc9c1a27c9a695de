// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/threshold.hpp"

#include <string>
#include <string_view>

namespace allocgate {

/// Reads `1%`, `0.5%` (of the old value), `5` (that much more), `0.5/iteration` (that much more each; up to three
/// decimals) or `10..20` (the allowed values). Throws Error (64) that
/// says what it does not understand.
Threshold parse_threshold(std::string_view text);

/// Reads `[WORKLOAD:]MEASURE=VALUE` of the command line; WORKLOAD may be a glob. The workload ends at the last colon,
/// because google-benchmark's names hold colons and ours of measures do not. Throws Error (64).
ThresholdRule parse_threshold_rule(std::string_view text);

/// Reads `WORKLOAD[:MEASURE]=N` of --max, with N a total or `0.5/iteration`. The measure is one that allocgate knows,
/// else the colon belongs to the workload's name; without it, allocations. Throws Error (64).
ThresholdRule parse_maximum_rule(std::string_view text);

}  // namespace allocgate
