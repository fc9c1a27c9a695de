// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/measure.hpp"
#include "model/result.hpp"

#include <optional>
#include <string>
#include <vector>

// Workloads that differ in one integer argument, and what each unit of it costs. Plain data; values are exact ratios.
namespace allocgate {

/// One workload of a family: the argument in its name, and what it counted.
struct FamilyPoint {
  std::string workload;
  Count argument = 0;
  Slope value;  // per iteration, or the total over 1
};

/// value = fixed + per_unit x argument, exactly, at every point.
struct FamilyLine {
  Slope fixed;
  Slope per_unit;
};

/// One measure over one family.
struct FamilySeries {
  std::string suite;
  std::string family;    // the workloads' names as a glob: "parse/size:*"
  std::string argument;  // "size"; without a name its place, "argument 1"
  std::string measure;
  std::string unit;
  bool totals = false;              // the values are totals, because they are not linear in the iterations
  std::uint64_t iterations = 1;     // of the totals
  std::vector<FamilyPoint> points;  // ascending by argument
  std::optional<FamilyLine> line;
  std::string reason;  // why no line is claimed; empty where one is
};

}  // namespace allocgate
