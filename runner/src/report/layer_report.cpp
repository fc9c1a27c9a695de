// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/layer_report.hpp"

#include "base/text.hpp"
#include "model/measure.hpp"
#include "model/slope.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

namespace {

using Align = TextTable::Align;
using Cells = std::vector<std::optional<Slope>>;

constexpr std::size_t k_label_width = 16;
constexpr std::string_view k_closing =
    "(a layer alone is its own workload; the rest is what putting them together adds)\n";

void add_row(TextTable& table, std::string name, const Cells& values, Paint paint) {
  std::vector<TextTable::Cell> cells = {{std::move(name), paint}};
  for (const std::optional<Slope>& value : values) {
    cells.push_back({value ? decimal_text(*value) : "-", paint});
  }
  table.add_row(std::move(cells));
}

std::string name_of_layer(const WorkloadLayer& layer) {
  const std::string times = layer.times == 1 ? std::string() : fmt::format("{} x ", grouped_unsigned(layer.times));
  return fmt::format("+ {}: {}{}", layer.layer, times, layer.workload);
}

TextTable table_of(std::span<const ComparisonStack> stacks, std::span<const std::string> labels,
                   const std::string& measure) {
  std::vector<TextTable::Column> columns = {{measure + " per iteration", Align::left, true}};
  for (const std::string& label : labels) {
    columns.push_back({shortened_in_the_middle(label, k_label_width), Align::right});
  }
  TextTable table(std::move(columns));
  for (const ComparisonStack& stack : stacks) {
    if (stack.measure != measure) {
      continue;
    }
    add_row(table, stack.workload, stack.cells, Paint::strong);
    for (const ComparisonLayer& layer : stack.layers) {
      add_row(table, name_of_layer(layer.layer), layer.cells, Paint::plain);
    }
    add_row(table, "+ the rest", stack.rest, Paint::plain);
  }
  return table;
}

/// The measures of the stacks, each once and in the order of the table of measures.
std::vector<std::string> measures_of(std::span<const ComparisonStack> stacks) {
  std::vector<std::string> present;
  for (const ComparisonStack& stack : stacks) {
    present.push_back(stack.measure);
  }
  return in_display_order(std::move(present));
}

}  // namespace

std::string layer_report(std::span<const ComparisonStack> stacks, std::span<const std::string> labels,
                         const Style& style, std::size_t width) {
  std::string text;
  for (const std::string& measure : measures_of(stacks)) {
    text += table_of(stacks, labels, measure).text(width, style) + "\n";
  }
  return text.empty() ? text : text + std::string(k_closing);
}

std::string layer_markdown(std::span<const ComparisonStack> stacks, std::span<const std::string> labels) {
  std::string text;
  for (const std::string& measure : measures_of(stacks)) {
    text += table_of(stacks, labels, measure).markdown() + "\n";
  }
  return text.empty() ? text : text + std::string(k_closing);
}

}  // namespace allocgate
