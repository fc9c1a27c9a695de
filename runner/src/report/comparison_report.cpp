// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/comparison_report.hpp"

#include "base/text.hpp"
#include "model/slope.hpp"
#include "report/family_report.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

#include <cmath>

namespace allocgate {

namespace {

using Align = TextTable::Align;

constexpr std::size_t k_label_width = 16;

std::string cell_text(const std::optional<ComparisonCell>& cell, bool totals) {
  if (!cell) {
    return "-";
  }
  return cell->slope && !totals ? decimal_text(*cell->slope) : grouped(cell->value);
}

std::string difference_text(const ComparisonRow& row, bool totals) {
  if (row.slope_difference && row.slope_difference->count != 0 && !totals) {
    return (row.slope_difference->count > 0 ? "+" : "") + decimal_text(*row.slope_difference);
  }
  if (row.difference) {
    const std::string once = row.slope_difference && !totals && *row.difference != 0 ? " once" : "";
    return grouped_with_sign(*row.difference) + once;
  }
  return {};
}

/// "+5.0 %" of what is shown, beside the exact difference; nothing where there is no ratio.
std::string percent_text(const ComparisonRow& row, bool totals) {
  if (!row.difference || !row.cells.front() || *row.difference == 0) {
    return {};
  }
  double before = static_cast<double>(row.cells.front()->value);
  double change = static_cast<double>(*row.difference);
  if (row.slope_difference && row.slope_difference->count != 0 && row.cells.front()->slope && !totals) {
    before = to_number(*row.cells.front()->slope);
    change = to_number(*row.slope_difference);
  }
  return before == 0 ? std::string() : fmt::format("{:+.1f} %", 100.0 * change / std::abs(before));
}

Paint paint_of(const ComparisonRow& row) {
  if (!row.difference || *row.difference == 0) {
    return Paint::plain;
  }
  const MeasureInfo* measure = find_measure(row.measure);
  if (measure == nullptr || measure->better == Better::neither) {
    return Paint::plain;
  }
  return (*row.difference > 0) == (measure->better == Better::lower) ? Paint::bad : Paint::good;
}

TextTable table_of(const Comparison& comparison, const ComparisonView& view) {
  std::vector<TextTable::Column> columns = {{"workload", Align::left, true}, {"measure", Align::left}};
  for (const std::string& label : comparison.labels) {
    columns.push_back({shortened_in_the_middle(label, k_label_width), Align::right});
  }
  const bool alone = comparison.labels.size() == 1;
  if (!alone) {
    columns.push_back({"change", Align::right});
    columns.push_back({"", Align::right});
  }
  TextTable table(std::move(columns));
  for (const ComparisonRow& row : comparison.rows) {
    if (row.same && !view.all_rows && !alone) {
      continue;
    }
    std::vector<TextTable::Cell> cells = {{row.workload}, {row.measure}};
    for (const auto& cell : row.cells) {
      cells.push_back({cell_text(cell, view.totals)});
    }
    if (!alone) {
      cells.push_back({difference_text(row, view.totals), paint_of(row)});
      cells.push_back({percent_text(row, view.totals)});
    }
    table.add_row(std::move(cells));
  }
  return table;
}

std::string closing_lines(const Comparison& comparison, const ComparisonView& view) {
  std::size_t same = 0;
  for (const ComparisonRow& row : comparison.rows) {
    same += row.same ? 1 : 0;
  }
  std::string text;
  for (const TestbedDifference& difference : comparison.testbed_differences) {
    text += fmt::format("testbed: {} is '{}' in the first and '{}' in the last\n", difference.field, difference.before,
                        difference.after);
  }
  for (const std::string& note : comparison.notes) {
    text += "note: " + on_one_line(note) + "\n";
  }
  if (comparison.labels.size() == 1) {
    return text + fmt::format("{} series", grouped_unsigned(comparison.rows.size())) + "\n";
  }
  text += fmt::format("{} of {} series the same{}\n", same, comparison.rows.size(),
                      view.all_rows || same == 0 ? "" : " and not shown (--all shows them)");
  return text;
}

FamilyView family_view(const Comparison& comparison, const ComparisonView& view) {
  return {view.all_measures, view.all_rows || comparison.labels.size() == 1};
}

}  // namespace

std::string comparison_report(const Comparison& comparison, const ComparisonView& view, const Style& style,
                              std::size_t width) {
  const TextTable table = table_of(comparison, view);
  const std::string families =
      family_report(comparison.families, comparison.labels, family_view(comparison, view), style, width);
  return (table.empty() ? std::string() : table.text(width, style) + "\n") + (families.empty() ? "" : families + "\n") +
         closing_lines(comparison, view);
}

std::string comparison_markdown(const Comparison& comparison, const ComparisonView& view) {
  const TextTable table = table_of(comparison, view);
  const std::string families = family_markdown(comparison.families, comparison.labels, family_view(comparison, view));
  return (table.empty() ? std::string() : table.markdown() + "\n") + (families.empty() ? "" : families + "\n") +
         closing_lines(comparison, view);
}

}  // namespace allocgate
