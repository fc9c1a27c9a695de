// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/matrix.hpp"
#include "model/threshold.hpp"

#include <optional>
#include <span>

// Is it the code or the compiler? Which axis of a table moved its number. Pure, in exact integers.
namespace allocgate {

/// What the axes of `entries` do. The table is additive when one change for each level of each axis explains every cell
/// within `threshold` (absent: exactly, and within 1 % where a value is not exact); such changes are read off the cells
/// one after another, from the first that was measured. Cells that were not measured say nothing.
MatrixConclusion conclude(const std::vector<MatrixAxis>& axes, std::span<const MatrixEntry> entries,
                          const std::optional<Threshold>& threshold);

/// From one level of an axis to another, where the other axes stand still.
struct LevelChange {
  MatrixPlace place;  // of the cell at the level `to`
  Count change = 0;
};

/// The change from level `from` to level `to` of `axis` in each row of cells in which both were measured.
std::vector<LevelChange> level_changes(std::span<const MatrixEntry> entries, std::size_t axis, std::size_t from,
                                       std::size_t to);

}  // namespace allocgate
