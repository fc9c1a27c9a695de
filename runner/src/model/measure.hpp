// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

/// A value of a measure. Signed: live_allocations of a window may be negative.
using Count = std::int64_t;

enum class Better { lower, higher, neither };

/// A named quantity with a unit and a direction. The table is model/measures.def; names are a contract.
struct MeasureInfo {
  std::string_view name;
  std::string_view unit;
  Better better;
  bool gated_by_default;
  bool advisory;
  bool may_be_negative;
  std::string_view description;
};

/// All measures that allocgate itself knows, in display order. Static storage.
std::span<const MeasureInfo> all_measures();

/// The measure of that name, or nullptr: a google-benchmark program's own counters are measures without an entry.
const MeasureInfo* find_measure(std::string_view name);

/// Names of measures as they are shown: ours in the order of the table, then others by name. Each once.
std::vector<std::string> in_display_order(std::vector<std::string> names);

}  // namespace allocgate
