// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/family_report.hpp"

#include "base/text.hpp"
#include "model/slope.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

namespace {

using Align = TextTable::Align;

constexpr std::size_t k_label_width = 16;

std::string cell_text(const std::optional<FamilySeries>& series) {
  if (!series) {
    return "-";
  }
  if (!series->line) {
    return "no line";
  }
  const FamilyLine& line = *series->line;
  std::string text;
  if (line.per_unit.count == 0) {
    text = exact_text(line.fixed);
  } else {
    text = line.fixed.count == 0 ? std::string() : exact_text(line.fixed) + " + ";
    text += exact_text(line.per_unit) + " each";
  }
  return series->totals ? fmt::format("{} in {}", text, counted(series->iterations, "iteration")) : text;
}

bool has_line(const ComparisonFamily& family) {
  return std::any_of(family.cells.begin(), family.cells.end(),
                     [](const auto& series) { return series && series->line; });
}

/// That nothing leaks, whatever the argument is, is no news.
bool is_all_zero(const ComparisonFamily& family) {
  return std::all_of(family.cells.begin(), family.cells.end(), [](const auto& series) {
    return series && series->line && series->line->fixed.count == 0 && series->line->per_unit.count == 0;
  });
}

bool is_of_interest(const ComparisonFamily& family, const FamilyView& view) {
  const MeasureInfo* measure = find_measure(family.measure);
  return view.all_measures || (measure != nullptr && measure->gated_by_default && !is_all_zero(family));
}

struct Rows {
  TextTable table;
  std::size_t without_line = 0;
};

Rows rows_of(std::span<const ComparisonFamily> families, std::span<const std::string> labels, const FamilyView& view) {
  std::vector<TextTable::Column> columns = {
      {"family", Align::left, true}, {"measure", Align::left}, {"each is", Align::left}};
  for (const std::string& label : labels) {
    columns.push_back({shortened_in_the_middle(label, k_label_width), Align::right});
  }
  Rows rows{TextTable(std::move(columns))};
  for (const ComparisonFamily& family : families) {
    if (!is_of_interest(family, view)) {
      continue;
    }
    if (!has_line(family)) {
      ++rows.without_line;
      continue;
    }
    if (family.same && !view.same_too) {
      continue;
    }
    std::vector<TextTable::Cell> cells = {{family.family}, {family.measure}, {family.argument}};
    for (const auto& series : family.cells) {
      cells.push_back({cell_text(series)});
    }
    rows.table.add_row(std::move(cells));
  }
  return rows;
}

std::string closing_line(const Rows& rows) {
  return rows.without_line == 0
             ? std::string()
             : fmt::format("{} of families {} on no line ('compare --format json' says why)\n",
                           rows.without_line == 1 ? "1 series" : grouped_unsigned(rows.without_line) + " series",
                           rows.without_line == 1 ? "is" : "are");
}

}  // namespace

std::string family_report(std::span<const ComparisonFamily> families, std::span<const std::string> labels,
                          const FamilyView& view, const Style& style, std::size_t width) {
  const Rows rows = rows_of(families, labels, view);
  return (rows.table.empty() ? std::string() : rows.table.text(width, style)) + closing_line(rows);
}

std::string family_markdown(std::span<const ComparisonFamily> families, std::span<const std::string> labels,
                            const FamilyView& view) {
  const Rows rows = rows_of(families, labels, view);
  const std::string closing = closing_line(rows);
  return (rows.table.empty() ? std::string() : rows.table.markdown() + (closing.empty() ? "" : "\n")) + closing;
}

}  // namespace allocgate
