// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

// Exact ratios of events to iterations, and how people read them.
namespace allocgate {

/// `count` over `iterations` in lowest terms. `iterations` is not 0.
Slope make_slope(Count count, std::uint64_t iterations);

/// left - right in lowest terms; nothing when it does not fit into 64 bits.
std::optional<Slope> difference(const Slope& left, const Slope& right);

bool operator==(const Slope& left, const Slope& right);

/// The ratio as a number for people and for plots; the exact one is the slope itself.
double to_number(const Slope& slope);

/// Short: "20 021", "0.333", "-1.5". At most three decimals; a value that rounds to 0 but is not 0 reads "<0.001".
std::string decimal_text(const Slope& slope);

/// Exact and without words: "20 021", "1.5", "1/3".
std::string exact_text(const Slope& slope);

/// Exact: "20 021 per iteration", "1 per 3 iterations", "3 per 2 iterations (1.5 each)".
std::string per_iteration_text(const Slope& slope);

/// The same with its sign: "+1 per iteration".
std::string signed_per_iteration_text(const Slope& slope);

/// A whole series in words: "75 per iteration + 1 once"; without a line the total, "75 001 in 1 000 iterations".
std::string series_text(const Series& series, std::uint64_t iterations);

/// The values of a series that has several, each with how often it was seen: "100 x3, 104 x2"; nothing for one value.
std::string modes_text(std::span<const Sample> samples);

}  // namespace allocgate
