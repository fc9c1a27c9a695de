// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "report/style.hpp"

#include <cstddef>
#include <string>

namespace allocgate {

/// One table of what cores allocate for the same workload: those workloads, named without their core, that two cores at
/// least have, with allocations and bytes per iteration. A column a core where that fits `width`, else a line a core.
/// What is on no line is an average over the windows, marked "~". Empty where no two cores have a workload in common;
/// else it ends with a newline.
std::string core_report(const Result& result, const Style& style, std::size_t width);

/// The same as markdown.
std::string core_markdown(const Result& result, std::size_t width);

}  // namespace allocgate
