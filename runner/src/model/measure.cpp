// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/measure.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

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

std::vector<std::string> in_display_order(std::vector<std::string> names) {
  const auto position = [](const std::string& name) {
    const MeasureInfo* known = find_measure(name);
    return known != nullptr ? known - k_measures.data() : std::ssize(k_measures);
  };
  std::sort(names.begin(), names.end(), [&position](const std::string& left, const std::string& right) {
    return std::pair(position(left), std::string_view(left)) < std::pair(position(right), std::string_view(right));
  });
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace allocgate
