// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "compare/make_baseline.hpp"
#include "model/baseline.hpp"
#include "report/style.hpp"

#include <cstddef>
#include <string>

namespace allocgate {

/// What an update makes of a baseline: every value that changes, and every one that was refused with the way to accept
/// it. A first baseline is one row a workload.
std::string baseline_changes_report(const MadeBaseline& made, bool first, const Style& style, std::size_t width);

/// The values of a baseline, who set them, when and why.
std::string baseline_report(const Baseline& baseline, const Style& style, std::size_t width);

}  // namespace allocgate
