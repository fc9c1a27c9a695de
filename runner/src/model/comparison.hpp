// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/family.hpp"
#include "model/layer.hpp"
#include "model/result.hpp"
#include "model/testbed.hpp"

#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// One result's value in a row; absent cells are workloads or measures that it does not have.
struct ComparisonCell {
  Count value = 0;
  std::uint64_t iterations = 1;
  SeriesClass series_class = SeriesClass::exact;
  std::optional<Slope> slope;
};

/// One workload and measure over all results, side by side, in their order.
struct ComparisonRow {
  std::string workload;
  std::string measure;
  std::string unit;
  std::vector<std::optional<ComparisonCell>> cells;
  std::optional<Count> difference;        // last minus first, where both have the same iterations
  std::optional<Slope> slope_difference;  // per iteration, where both are linear
  bool same = false;                      // every cell is there and equal
};

/// One measure of one family over all results, in their order; absent where a result has fewer than two of its
/// workloads.
struct ComparisonFamily {
  std::string family;
  std::string argument;
  std::string measure;
  std::vector<std::optional<FamilySeries>> cells;
  bool same = false;  // every result has the same line
};

/// `compare A B ...`: nothing is judged.
struct Comparison {
  std::vector<std::string> labels;                     // one a result
  std::vector<ComparisonRow> rows;                     // by workload, then in the order of the table of measures
  std::vector<ComparisonFamily> families;              // by family, then in the order of the table of measures
  std::vector<ComparisonStack> stacks;                 // by suite and name, then in the order of the table of measures
  std::vector<TestbedDifference> testbed_differences;  // first against last
  std::vector<std::string> notes;
};

}  // namespace allocgate
