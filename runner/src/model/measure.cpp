// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/measure.hpp"

#include <algorithm>
#include <array>

namespace allocgate {

namespace {

constexpr auto k_measures = std::to_array<MeasureInfo>({
#define ALLOCGATE_MEASURE(name, unit, better, gated, advisory, may_be_negative, description) \
  {#name, unit, Better::better, gated, advisory, may_be_negative, description},
#include "model/measures.def"
});

}  // namespace

std::span<const MeasureInfo> all_measures() {
  return k_measures;
}

const MeasureInfo* find_measure(std::string_view name) {
  const auto found = std::find_if(k_measures.begin(), k_measures.end(),
                                  [name](const MeasureInfo& measure) { return measure.name == name; });
  return found != k_measures.end() ? &*found : nullptr;
}

}  // namespace allocgate
