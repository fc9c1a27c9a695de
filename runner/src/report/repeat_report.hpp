// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "report/style.hpp"

#include <cstddef>
#include <string>

namespace allocgate {

/// How far the medians of a repeated measurement were apart, one row a workload and measure: 0 where it repeats. Empty
/// when nothing was repeated.
std::string repeat_report(const Result& result, const Style& style, std::size_t width);
std::string repeat_markdown(const Result& result);

}  // namespace allocgate
