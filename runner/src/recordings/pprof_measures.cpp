// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "recordings/pprof_measures.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace allocgate {

namespace {

/// What other tools call what we call otherwise. Not "objects" and "samples": those may be blocks in use, or moments of
/// a processor's time.
struct OtherName {
  std::string_view theirs;
  std::string_view ours;
};

constexpr auto k_other_names = std::to_array<OtherName>({
    {"alloc_objects", "allocations"},
    {"alloc_space", "allocated_bytes"},
    {"inuse_objects", "live_allocations"},
    {"inuse_space", "live_bytes"},
});

}  // namespace

std::vector<RecordedMeasure> under_our_names(std::vector<RecordedMeasure> sample_types) {
  const auto is_taken = [&sample_types](std::string_view name) {
    return std::any_of(sample_types.begin(), sample_types.end(),
                       [name](const RecordedMeasure& other) { return other.given_name == name || other.name == name; });
  };
  for (RecordedMeasure& measure : sample_types) {
    const auto other = std::find_if(k_other_names.begin(), k_other_names.end(), [&measure](const OtherName& candidate) {
      return candidate.theirs == measure.given_name;
    });
    const bool renamed = other != k_other_names.end() && !is_taken(other->ours);
    measure.name = renamed ? std::string(other->ours) : measure.given_name;
  }
  return sample_types;
}

}  // namespace allocgate
