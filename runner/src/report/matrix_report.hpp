// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/matrix.hpp"
#include "report/style.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace allocgate {

/// One table a workload, revisions down and the other axes across, and a conclusion in words; then the cells that
/// failed with their reasons.
std::string matrix_report(const Matrix& matrix, const Style& style, std::size_t width);

/// The same for a comment on a change.
std::string matrix_markdown(const Matrix& matrix);

/// What moved the number, a sentence each: the axes with their changes where the table is additive, else which change
/// was seen in which cells.
std::vector<std::string> conclusion_sentences(const Matrix& matrix, const MatrixTable& table);

}  // namespace allocgate
