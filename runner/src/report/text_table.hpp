// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "report/style.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace allocgate {

/// A table for people: aligned columns of UTF-8 text for a terminal, or the same as markdown. A value; one thread.
class TextTable {
public:
  enum class Align { left, right };

  struct Column {
    std::string title;
    Align align = Align::left;
    /// Whether cells may lose their middle when the table is too wide. Never set for a column of numbers.
    bool may_shrink = false;
  };

  struct Cell {
    std::string text;
    Paint paint = Paint::plain;
  };

  explicit TextTable(std::vector<Column> columns) : m_columns(std::move(columns)) {}

  /// Missing cells are empty.
  void add_row(std::vector<Cell> cells) { m_rows.push_back(std::move(cells)); }
  [[nodiscard]] bool empty() const { return m_rows.empty(); }

  /// The table with its titles; lines have no spaces at their ends. Columns that may shrink do so until the table
  /// fits `width`; numbers are shown whole, however narrow the terminal is.
  [[nodiscard]] std::string text(std::size_t width, const Style& style) const;

  /// The table as GitHub and GitLab read it; nothing is shortened.
  [[nodiscard]] std::string markdown() const;

private:
  [[nodiscard]] std::vector<std::size_t> column_widths(std::size_t width) const;

  std::vector<Column> m_columns;
  std::vector<std::vector<Cell>> m_rows;
};

}  // namespace allocgate
