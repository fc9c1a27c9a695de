// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/comparison.hpp"

#include <span>
#include <string>

namespace allocgate {

/// Lays results side by side. `labels` names them, as many as there are results (one at least; one alone is shown and
/// differs from nothing).
Comparison compare_results(std::span<const Result> results, std::span<const std::string> labels);

}  // namespace allocgate
