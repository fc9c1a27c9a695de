// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/layer.hpp"
#include "report/style.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace allocgate {

/// Stacks and their layers, a table a measure and a column a result: the whole, each layer alone, and the rest. Empty
/// where there is no stack; else it ends with a newline.
std::string layer_report(std::span<const ComparisonStack> stacks, std::span<const std::string> labels,
                         const Style& style, std::size_t width);

/// The same as markdown.
std::string layer_markdown(std::span<const ComparisonStack> stacks, std::span<const std::string> labels);

}  // namespace allocgate
