// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/measure.hpp"

#include <cstdint>
#include <limits>
#include <optional>

// Integers that hold the product of any count and any number of iterations, so that arithmetic on counts never rounds.
namespace allocgate {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

/// The value as a count, if it is one.
constexpr std::optional<Count> to_count(Wide value) {
  if (value < std::numeric_limits<Count>::min() || value > std::numeric_limits<Count>::max()) {
    return std::nullopt;
  }
  return static_cast<Count>(value);
}

/// |value|, also of the smallest count, which has no positive counterpart.
constexpr std::uint64_t magnitude(Count value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

constexpr Wide magnitude(Wide value) {
  return value < 0 ? -value : value;
}

/// Of zero and a number it is the number.
constexpr UnsignedWide greatest_common_divisor(UnsignedWide left, UnsignedWide right) {
  while (right != 0) {
    const UnsignedWide rest = left % right;
    left = right;
    right = rest;
  }
  return left;
}

}  // namespace allocgate
