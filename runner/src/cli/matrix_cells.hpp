// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/built_options.hpp"
#include "model/matrix.hpp"
#include "model/threshold.hpp"
#include "revisions/repository.hpp"

#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// The axes of a table and what is built in each of its cells.
struct MatrixPlan {
  std::vector<MatrixAxis> axes;
  std::vector<BuiltPlace> places;  // one a cell
  std::vector<MatrixCell> cells;   // without what was measured
};

/// Levels of one axis, as the options `--axis AXIS/LEVEL=VARIABLE=VALUE...` name them; a level without an axis belongs
/// to "variant". In the order in which the axes were first named.
struct VariablesAxis {
  std::string name;
  std::vector<NamedVariables> levels;
};
std::vector<VariablesAxis> parse_axes(const std::vector<std::string>& texts);

/// Revisions ("REV", "REV+FILE.patch" for the revision with patches on top, "." for the work tree as it is), toolchains
/// and other axes, each cell of which is built. Throws Error (64): no such revision, a patch that does not apply, an
/// allowed failure (a glob over "REV:TOOLCHAIN:LEVEL...") that means no cell.
MatrixPlan plan_matrix(const Repository& repository, const std::vector<std::string>& revisions,
                       const std::vector<NamedVariables>& toolchains, const std::vector<VariablesAxis>& axes,
                       const std::vector<std::string>& allowed_failures);

/// A table for each workload that any cell measured, by name, with what it concludes.
std::vector<MatrixTable> tables_of(const Matrix& matrix, const std::optional<Threshold>& threshold);

}  // namespace allocgate
