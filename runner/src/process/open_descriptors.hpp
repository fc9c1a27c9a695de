// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstdint>
#include <optional>
#include <set>

namespace allocgate {

/// The descriptors that process `pid` has open now, from /proc; nothing when it is gone or is not ours to look at.
std::optional<std::set<int>> open_descriptors_of(std::int64_t pid);

}  // namespace allocgate
