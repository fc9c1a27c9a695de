// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "report/style.hpp"
#include "stacks/recording.hpp"

#include <cstddef>
#include <string>

namespace allocgate {

/// What `record` says of a recording of allocations and allocated_bytes when it is done: the sums, and the `sites`
/// places that allocated most with file and line, per iteration where it knows its iterations. A site is the innermost
/// function that is neither malloc nor of the C++ standard library. Pure.
std::string record_report(const Recording& recording, std::size_t sites, const Style& style, std::size_t width);

}  // namespace allocgate
