// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/comparison.hpp"
#include "report/style.hpp"

#include <cstddef>
#include <string>

namespace allocgate {

/// Which rows a comparison shows, and in which terms.
struct ComparisonView {
  bool all_rows = false;      // also those that are the same everywhere
  bool totals = false;        // at the workload's iterations, instead of per iteration
  bool all_measures = false;  // families of every measure, not of those alone that are gated by default
};

/// Results side by side for people, then their families. Rows that are the same are counted, not shown, unless asked
/// for; a single result is shown whole.
std::string comparison_report(const Comparison& comparison, const ComparisonView& view, const Style& style,
                              std::size_t width);

/// The same rows as markdown.
std::string comparison_markdown(const Comparison& comparison, const ComparisonView& view);

}  // namespace allocgate
