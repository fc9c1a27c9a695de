// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/stacks_report.hpp"

#include "base/text.hpp"
#include "model/slope.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "report/values.hpp"
#include "stacks/name_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace allocgate {

namespace {

using Align = TextTable::Align;

constexpr std::size_t k_frame_indent = 4;
constexpr std::size_t k_place_width = 28;

std::string value_text(const Recording& recording, Count value, const StacksView& view) {
  return view.per_iteration ? decimal_text(make_slope(value, *recording.iterations)) : grouped(value);
}

std::string percent_text(Count value, Count total) {
  return total == 0 ? std::string()
                    : fmt::format("{:.1f} %", 100.0 * static_cast<double>(value) / static_cast<double>(total));
}

/// "12 allocations, 4 096 allocated_bytes": the measure that is looked at, then its kin if it has any.
std::string values_text(const Recording& recording, const std::vector<Count>& values, const StacksView& view) {
  std::string text =
      fmt::format("{} {}", value_text(recording, values[view.measure], view), recording.measures()[view.measure].name);
  for (const std::string_view other : {"allocations", "allocated_bytes"}) {
    const auto index = recording.find_measure(other);
    if (index && *index != view.measure) {
      text += fmt::format(", {} {}", value_text(recording, values[*index], view), recording.measures()[*index].name);
    }
  }
  return text;
}

std::string frame_line(const Recording& recording, const Frame& frame, std::size_t width) {
  const std::string name = on_one_line(shown_name(recording, frame)) + (frame.inlined ? " (inlined)" : "");
  const std::string place = on_one_line(place_of(recording, frame));
  if (place.empty()) {
    return std::string(k_frame_indent, ' ') + shortened_in_the_middle(name, width - k_frame_indent) + "\n";
  }
  const std::string shown_place = shortened_in_the_middle(place, k_place_width);
  const std::size_t room = width - k_frame_indent - 2 - k_place_width;
  const std::string shown = shortened_in_the_middle(name, room);
  return std::string(k_frame_indent, ' ') + shown + std::string(room - display_width(shown) + 2, ' ') + shown_place +
         "\n";
}

std::string closing_lines(const Recording& recording, std::size_t shown, std::size_t hidden, Count hidden_value,
                          GroupBy by, const StacksView& view) {
  std::string text = fmt::format("{} in {}{}\n", values_text(recording, recording.totals(), view),
                                 counted_rows(shown + hidden, by), view.per_iteration ? ", per iteration" : "");
  if (hidden != 0) {
    text += fmt::format("not shown: {} with {} {}\n", counted_rows(hidden, by),
                        value_text(recording, hidden_value, view), recording.measures()[view.measure].name);
  }
  return text;
}

TextTable groups_table(const Recording& recording, GroupBy by, const Listing<GroupRow>& listing,
                       const StacksView& view) {
  const auto name = std::find_if(k_group_names.begin(), k_group_names.end(),
                                 [by](const GroupName& candidate) { return candidate.by == by; });
  std::vector<TextTable::Column> columns = {{std::string(name->name), Align::left, true},
                                            {recording.measures()[view.measure].name, Align::right},
                                            {"", Align::right}};
  if (by != GroupBy::size_class) {
    columns.push_back({"inclusive", Align::right});
  }
  TextTable table(columns);
  const Count total = recording.totals()[view.measure];
  for (const GroupRow& row : listing.rows) {
    std::vector<TextTable::Cell> cells = {{on_one_line(row.key)},
                                          {value_text(recording, row.own[view.measure], view)},
                                          {percent_text(row.own[view.measure], total)}};
    if (by != GroupBy::size_class) {
      cells.push_back({value_text(recording, row.inclusive[view.measure], view)});
    }
    table.add_row(std::move(cells));
  }
  return table;
}

std::size_t column_width(const std::vector<std::array<std::string, 2>>& rows, std::size_t column) {
  std::size_t width = 0;
  for (const auto& row : rows) {
    width = std::max(width, row[column].size());
  }
  return width;
}

}  // namespace

std::string stacks_report(const Recording& recording, const Listing<StackRow>& listing, const StacksView& view,
                          const Style& style, std::size_t width) {
  std::string text;
  const Count total = recording.totals()[view.measure];
  for (const StackRow& row : listing.rows) {
    const std::string percent = percent_text(row.values[view.measure], total);
    text += style.painted(values_text(recording, row.values, view), Paint::strong) +
            (percent.empty() ? "" : fmt::format(" ({})", percent)) + "\n";
    for (const FrameId frame : recording.frames_of(row.stack)) {
      text += frame_line(recording, recording.frame(frame), width);
    }
    text += "\n";
  }
  const Count hidden = listing.hidden.empty() ? 0 : listing.hidden[view.measure];
  return text + closing_lines(recording, listing.rows.size(), listing.hidden_rows, hidden, GroupBy::stack, view);
}

std::string stacks_markdown(const Recording& recording, const Listing<StackRow>& listing, const StacksView& view) {
  TextTable table(
      {{recording.measures()[view.measure].name, Align::right}, {"", Align::right}, {"stack", Align::left}});
  const Count total = recording.totals()[view.measure];
  for (const StackRow& row : listing.rows) {
    std::string frames;
    for (const FrameId id : recording.frames_of(row.stack)) {
      const Frame& frame = recording.frame(id);
      const std::string place = place_of(recording, frame);
      frames += (frames.empty() ? "" : " ← ") + on_one_line(shown_name(recording, frame)) +
                (place.empty() ? "" : fmt::format(" ({})", on_one_line(place)));
    }
    table.add_row({{value_text(recording, row.values[view.measure], view)},
                   {percent_text(row.values[view.measure], total)},
                   {frames}});
  }
  const Count hidden = listing.hidden.empty() ? 0 : listing.hidden[view.measure];
  return table.markdown() + "\n" +
         closing_lines(recording, listing.rows.size(), listing.hidden_rows, hidden, GroupBy::stack, view);
}

std::string groups_report(const Recording& recording, GroupBy by, const Listing<GroupRow>& listing,
                          const StacksView& view, const Style& style, std::size_t width) {
  const Count hidden = listing.hidden.empty() ? 0 : listing.hidden[view.measure];
  return groups_table(recording, by, listing, view).text(width, style) + "\n" +
         closing_lines(recording, listing.rows.size(), listing.hidden_rows, hidden, by, view);
}

std::string groups_markdown(const Recording& recording, GroupBy by, const Listing<GroupRow>& listing,
                            const StacksView& view) {
  const Count hidden = listing.hidden.empty() ? 0 : listing.hidden[view.measure];
  return groups_table(recording, by, listing, view).markdown() + "\n" +
         closing_lines(recording, listing.rows.size(), listing.hidden_rows, hidden, by, view);
}

std::string tree_report(const Recording& recording, const std::vector<TreeNode>& tree, const StacksView& view,
                        const Style& style, std::size_t width) {
  constexpr std::size_t k_least_name = 20;
  constexpr std::size_t k_deepest_indent = 30;
  const Count total = recording.totals()[view.measure];
  std::vector<std::array<std::string, 2>> numbers;
  for (const TreeNode& node : tree) {
    numbers.push_back({value_text(recording, node.value, view), percent_text(node.value, total)});
  }
  const std::size_t value_width = column_width(numbers, 0);
  const std::size_t percent_width = column_width(numbers, 1);
  std::string text;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    // Far down the level is said as a number: a name of which nothing is left says less.
    const std::size_t level = tree[i].level;
    const std::string indent =
        level <= k_deepest_indent ? std::string(level, ' ') : fmt::format("{:>{}} ", level, k_deepest_indent - 1);
    const std::size_t used = value_width + percent_width + 4 + indent.size();
    const std::string name =
        shortened_in_the_middle(on_one_line(tree[i].name), width > used + k_least_name ? width - used : k_least_name);
    text += fmt::format("{}{}  {:>{}}  {}{}\n", std::string(value_width - numbers[i][0].size(), ' '),
                        style.painted(numbers[i][0], Paint::strong), numbers[i][1], percent_width, indent, name);
  }
  return text + "\n" +
         fmt::format("{}{}\n", values_text(recording, recording.totals(), view),
                     view.per_iteration ? ", per iteration" : "");
}

std::string tree_markdown(const Recording& recording, const std::vector<TreeNode>& tree, const StacksView& view) {
  return "```\n" + tree_report(recording, tree, view, Style(), 120) + "```\n";
}

}  // namespace allocgate
