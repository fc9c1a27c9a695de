// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <allocgate/benchmark.hpp>

#include <string_view>

namespace allocgate {

/// What register_workload was told about the family that the case `name` belongs to; null when nothing.
const WorkloadDescription* description_of(std::string_view name);

}  // namespace allocgate
