// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/measured_value.hpp"
#include "model/result.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// Revisions x toolchains x other axes, and what was measured in each cell. Plain values.
namespace allocgate {

struct MatrixLevel {
  std::string name;  // "main", "gcc12": as it was given
  std::string what;  // the commit with its subject, or the variables that are set
};

struct MatrixAxis {
  std::string name;  // "revision", "toolchain", or as it was given
  std::vector<MatrixLevel> levels;
};

/// One level of each axis, as indexes.
using MatrixPlace = std::vector<std::size_t>;

struct MatrixCell {
  MatrixPlace place;
  std::optional<Result> result;  // absent where it was not built
  std::string reason;            // absent: why
  bool may_fail = false;
};

/// One value of a table; absent where it was not measured.
struct MatrixEntry {
  MatrixPlace place;
  std::optional<MeasuredValue> value;
  std::string reason;  // absent: why
};

/// What an axis does: from its first level to another one.
struct AxisEffect {
  std::size_t axis = 0;
  std::size_t level = 0;
  Count change = 0;
};

/// How the axes make the number.
struct MatrixConclusion {
  /// Whether each axis moves the value by the same amount wherever the others stand: then `effects` says it all.
  bool additive = true;
  std::vector<AxisEffect> effects;      // of every level but the first that is connected to it
  std::vector<MatrixPlace> exceptions;  // not additive: cells that are not what their axes alone would make of them
};

/// One workload's numbers.
struct MatrixTable {
  std::string workload;
  std::string unit;
  std::vector<MatrixEntry> entries;  // in the order of the cells
  MatrixConclusion conclusion;
};

struct Matrix {
  std::string measure;
  std::vector<MatrixAxis> axes;   // revisions first
  std::vector<MatrixCell> cells;  // the last axis fastest
  std::vector<MatrixTable> tables;
};

/// The names of a cell's levels, joined: "main:gcc12".
std::string place_name(const std::vector<MatrixAxis>& axes, const MatrixPlace& place);

}  // namespace allocgate
