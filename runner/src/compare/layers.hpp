// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/layer.hpp"

#include <span>
#include <vector>

namespace allocgate {

/// Every stack among the workloads with its layers, for each measure that is gated by default and not 0 throughout: of
/// those measures layers add up. By suite and name, then in the order of the table of measures. A layer is looked for
/// by name, in any suite. Pure, in exact arithmetic: what does not fit is absent.
std::vector<ComparisonStack> stacks_side_by_side(std::span<const Result> results);

}  // namespace allocgate
