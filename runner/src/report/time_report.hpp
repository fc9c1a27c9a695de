// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "report/style.hpp"

#include <cstddef>
#include <string>

namespace allocgate {

/// What the workloads took, one row each, and what that says, one sentence each. Empty when no time was measured.
std::string time_report(const Result& result, const Style& style, std::size_t width);
std::string time_markdown(const Result& result);

}  // namespace allocgate
