// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/matrix_report.hpp"

#include "compare/matrix_conclusion.hpp"
#include "example_searches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Two revisions with two toolchains, and the allocations of an iteration in each cell.
Matrix matrix_of(Count v1_gcc, Count v1_clang, Count v2_gcc, Count v2_clang) {
  Matrix matrix = full_matrix();
  std::vector<MatrixEntry>& entries = matrix.tables.front().entries;
  const std::array values = {v1_gcc, v1_clang, v2_gcc, v2_clang};
  for (std::size_t cell = 0; cell < entries.size(); ++cell) {
    entries[cell].value = value_on_line(values[cell], 0);
  }
  matrix.tables.front().conclusion = conclude(matrix.axes, entries, std::nullopt);
  return matrix;
}

std::vector<std::string> sentences(const Matrix& matrix) {
  return conclusion_sentences(matrix, matrix.tables.front());
}

TEST(ConclusionSentences, NameTheAxisThatMovedIt) {
  EXPECT_THAT(sentences(matrix_of(3, 3, 4, 4)),
              ElementsAre("The revision moved it: +1 per iteration from v1 to v2, with every toolchain.",
                          "The toolchain did not move it."));
  EXPECT_THAT(sentences(matrix_of(3, 5, 3, 5)),
              ElementsAre("The revision did not move it.",
                          "The toolchain moved it: +2 per iteration from gcc12 to clang14, with every revision."));
}

TEST(ConclusionSentences, NameCellsWhereAxesMeet) {
  EXPECT_THAT(sentences(matrix_of(3, 3, 3, 4)),
              ElementsAre("No axis moves it alone: what one does depends on where the others stand.",
                          "revision from v1 to v2: 0 with gcc12; +1 per iteration with clang14.",
                          "toolchain from gcc12 to clang14: 0 with v1; +1 per iteration with v2."));
}

TEST(ConclusionSentences, GiveTotalsWhereWhatHappensOnceDiffers) {
  Matrix matrix = matrix_of(3, 3, 3, 3);
  for (std::size_t cell : {2, 3}) {
    matrix.tables.front().entries[cell].value = value_on_line(3, 7);
  }
  matrix.tables.front().conclusion = conclude(matrix.axes, matrix.tables.front().entries, std::nullopt);
  EXPECT_THAT(sentences(matrix),
              Contains("The revision moved it: +7 in 100 iterations from v1 to v2, with every toolchain."));
}

TEST(MatrixReport, ShowsTheTableAndWhatFailed) {
  const std::string text = matrix_report(full_matrix(), Style(), 100);
  EXPECT_THAT(text, HasSubstr("toolchain clang14: CXX=clang++-14"));
  EXPECT_THAT(text, HasSubstr("revision  gcc12  clang14"));
  EXPECT_THAT(text, HasSubstr("v1         3 +1   failed"));
  EXPECT_THAT(text, HasSubstr("v1:clang14 failed, which is allowed: it did not build"));
}

TEST(MatrixMarkdown, IsATable) {
  EXPECT_THAT(matrix_markdown(full_matrix()), HasSubstr("| v1 | 3 +1 | failed |"));
}

}  // namespace
}  // namespace allocgate
