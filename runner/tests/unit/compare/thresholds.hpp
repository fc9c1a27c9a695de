// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/threshold.hpp"

// Thresholds of one kind, for tests.
namespace allocgate {

inline Threshold percent(std::int64_t thousandths) {
  return {std::nullopt, thousandths, std::nullopt};
}
inline Threshold absolute(Count amount) {
  return {std::nullopt, std::nullopt, amount};
}
inline Threshold both(std::int64_t thousandths, Count amount) {
  return {std::nullopt, thousandths, amount};
}
inline Threshold range(Count lowest, Count highest) {
  return {Threshold::Range{lowest, highest}, std::nullopt, std::nullopt};
}

}  // namespace allocgate
