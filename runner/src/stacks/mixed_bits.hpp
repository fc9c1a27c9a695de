// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <cstdint>

namespace allocgate {

/// The finalizer of splitmix64 (Steele, Lea and Flood 2014): every bit of the input reaches every bit of the result, so
/// its low bits can choose a slot.
constexpr std::size_t mixed_bits(std::uint64_t value) {
  value ^= value >> 30U;
  value *= 0xbf58476d1ce4e5b9U;
  value ^= value >> 27U;
  value *= 0x94d049bb133111ebU;
  value ^= value >> 31U;
  return static_cast<std::size_t>(value);
}

}  // namespace allocgate
