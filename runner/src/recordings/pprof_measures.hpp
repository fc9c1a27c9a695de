// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "stacks/recording.hpp"

#include <vector>

namespace allocgate {

/// The sample types of a profile, each with only its given name and unit, under the names of our measures where they
/// are the same thing: "alloc_objects" is "allocations", unless the profile has that as well. Pure.
std::vector<RecordedMeasure> under_our_names(std::vector<RecordedMeasure> sample_types);

}  // namespace allocgate
