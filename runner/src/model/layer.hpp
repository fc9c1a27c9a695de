// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"

#include <optional>
#include <string>
#include <vector>

// A client and a server as a whole stack, and workloads that run a part of it alone. Plain data.
namespace allocgate {

/// One layer of a stack over all results, in their order: what it counts per iteration, as often as the stack runs it.
/// A cell is absent where a result does not have it, or has no exact value per iteration.
struct ComparisonLayer {
  WorkloadLayer layer;
  std::vector<std::optional<Slope>> cells;
};

/// One measure of one stack. `rest` is the stack without all of its layers: what putting them together adds, which is
/// below 0 where the layers alone do more.
struct ComparisonStack {
  std::string workload;
  std::string measure;
  std::vector<std::optional<Slope>> cells;
  std::vector<ComparisonLayer> layers;  // as the workload names them
  std::vector<std::optional<Slope>> rest;
};

}  // namespace allocgate
