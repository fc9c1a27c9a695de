// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/comparison.hpp"
#include "report/style.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace allocgate {

/// Which families are shown.
struct FamilyView {
  bool all_measures = false;  // also those that are not gated by default, and those that are 0 throughout
  bool same_too = true;       // also those that every result has alike
};

/// What each unit of an argument costs, one row a family and measure, one column a result: "4 + 2 each". Series that
/// are on no line are counted. Empty where there is no family at all; else it ends with a newline.
std::string family_report(std::span<const ComparisonFamily> families, std::span<const std::string> labels,
                          const FamilyView& view, const Style& style, std::size_t width);

/// The same as markdown.
std::string family_markdown(std::span<const ComparisonFamily> families, std::span<const std::string> labels,
                            const FamilyView& view);

}  // namespace allocgate
