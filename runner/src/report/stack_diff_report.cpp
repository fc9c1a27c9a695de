// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/text.hpp"
#include "model/slope.hpp"
#include "report/stacks_report.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

namespace {

using Align = TextTable::Align;

constexpr std::size_t k_frame_indent = 4;
constexpr std::size_t k_place_width = 28;
constexpr std::size_t k_longest_aligned = 1024;  // frames between the ends that both stacks of a pair have

std::string signed_text(const Slope& value) {
  return (value.count > 0 ? "+" : "") + decimal_text(value);
}

Paint paint_of(const Slope& delta) {
  return delta.count > 0 ? Paint::bad : delta.count < 0 ? Paint::good : Paint::plain;
}

std::vector<Both> values_of(const StackDiff& diff, std::size_t row) {
  std::vector<Both> values;
  for (std::size_t i = 0; i < diff.measures().size(); ++i) {
    values.push_back(diff.values(row, i));
  }
  return values;
}

/// "+1 allocations (3 -> 4), +25 allocated_bytes": the compared measure, then bytes or allocations beside it.
std::string change_text(const StackDiff& diff, const std::vector<Both>& values, const Style& style) {
  const Both& main = values[diff.measure()];
  const Slope delta = diff.delta(main);
  std::string text =
      style.painted(fmt::format("{} {}", signed_text(delta), diff.measures()[diff.measure()].name), paint_of(delta));
  text += fmt::format(" ({} -> {})", decimal_text(diff.before(main)), decimal_text(diff.after(main)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& name = diff.measures()[i].name;
    if (i != diff.measure() && (name == "allocations" || name == "allocated_bytes")) {
      text += fmt::format(", {} {}", signed_text(diff.delta(values[i])), name);
    }
  }
  return text;
}

/// One of the two stacks of a pair, or a frame both have.
struct FrameLine {
  char mark = ' ';
  NameId name = 0;
  std::string place;
};

void append_end(std::vector<FrameLine>& lines, const std::vector<NameId>& frames,
                const std::vector<std::string>& places, std::size_t from) {
  for (std::size_t i = from; i < frames.size(); ++i) {
    lines.push_back({' ', frames[i], places[i]});
  }
}

/// The frames of a row; of a pair those that differ marked with - and +.
std::vector<FrameLine> frame_lines(const StackDiff& diff, const StackDiff::Row& row) {
  const std::vector<NameId> after = diff.frames(row.stack);
  const std::vector<NameId> before = diff.frames(row.before_stack);
  const std::vector<std::string> places = diff.places(row.stack);
  std::vector<FrameLine> lines;
  // The longest common sequence, from the ends that are equal anyway.
  const std::size_t rows = before.size();
  const std::size_t columns = after.size();
  std::size_t first = 0;
  while (first < std::min(rows, columns) && before[first] == after[first]) {
    lines.push_back({' ', after[first], places[first]});
    ++first;
  }
  std::size_t last = 0;
  while (last < std::min(rows, columns) - first && before[rows - 1 - last] == after[columns - 1 - last]) {
    ++last;
  }
  const std::size_t height = rows - first - last;
  const std::size_t width = columns - first - last;
  if (height > k_longest_aligned || width > k_longest_aligned) {
    for (std::size_t i = 0; i < height; ++i) {
      lines.push_back({'-', before[first + i], {}});
    }
    for (std::size_t j = 0; j < width; ++j) {
      lines.push_back({'+', after[first + j], places[first + j]});
    }
    append_end(lines, after, places, columns - last);
    return lines;
  }
  std::vector<std::vector<std::size_t>> common(height + 1, std::vector<std::size_t>(width + 1));
  for (std::size_t i = height; i-- > 0;) {
    for (std::size_t j = width; j-- > 0;) {
      common[i][j] = before[first + i] == after[first + j] ? common[i + 1][j + 1] + 1
                                                           : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  for (std::size_t i = 0, j = 0; i < height || j < width;) {
    if (i < height && j < width && before[first + i] == after[first + j]) {
      lines.push_back({' ', after[first + j], places[first + j]});
      ++i, ++j;
    } else if (i < height && (j == width || common[i + 1][j] >= common[i][j + 1])) {
      lines.push_back({'-', before[first + i], {}});
      ++i;
    } else {
      lines.push_back({'+', after[first + j], places[first + j]});
      ++j;
    }
  }
  append_end(lines, after, places, columns - last);
  return lines;
}

std::string frame_line(const StackDiff& diff, const FrameLine& line, std::size_t width) {
  const std::string name = on_one_line(diff.name(line.name));
  const std::string indent = fmt::format("  {} ", line.mark);
  if (line.place.empty()) {
    return indent + shortened_in_the_middle(name, width - k_frame_indent) + "\n";
  }
  const std::size_t room = width - k_frame_indent - 2 - k_place_width;
  const std::string shown = shortened_in_the_middle(name, room);
  return indent + shown + std::string(room - display_width(shown) + 2, ' ') +
         shortened_in_the_middle(on_one_line(line.place), k_place_width) + "\n";
}

struct Section {
  std::string_view title;
  const StackDiff::Rows* rows;
};

std::vector<Section> sections_of(const StackDiff& diff) {
  return {{"only in after", &diff.only_in_after()},
          {"only in before", &diff.only_in_before()},
          {"changed", &diff.changed()},
          {"paired: the same stack under other names", &diff.paired()}};
}

/// "2 stacks, +3".
std::string sum_text(const StackDiff& diff, const StackDiff::Rows& rows) {
  Both sum;
  for (const std::size_t row : rows) {
    sum.before += diff.values(row, diff.measure()).before;
    sum.after += diff.values(row, diff.measure()).after;
  }
  return fmt::format("{}, {}", counted(rows.size(), "stack"), signed_text(diff.delta(sum)));
}

std::string closing_lines(const StackDiff& diff, const Style& style) {
  std::string text = fmt::format("total: {}{}\n", change_text(diff, diff.totals(), style),
                                 diff.is_per_iteration() ? ", per iteration" : "");
  if (diff.hidden().stacks != 0) {
    text += fmt::format("not shown: {}, {}\n", counted(diff.hidden().stacks, "changed stack"),
                        signed_text(diff.delta(diff.hidden().values[diff.measure()])));
  }
  if (diff.unchanged() != 0) {
    text += fmt::format("{} the same\n", counted(diff.unchanged(), "stack"));
  }
  for (const std::string& note : diff.notes()) {
    text += "note: " + on_one_line(note) + "\n";
  }
  return text;
}

}  // namespace

std::string stack_diff_report(const StackDiff& diff, const Style& style, std::size_t width) {
  std::string text;
  for (const Section& section : sections_of(diff)) {
    if (section.rows->empty()) {
      continue;
    }
    text +=
        style.painted(fmt::format("--- {} ({})", section.title, sum_text(diff, *section.rows)), Paint::strong) + "\n";
    for (const std::size_t row : *section.rows) {
      text += change_text(diff, values_of(diff, row), style) + "\n";
      for (const FrameLine& line : frame_lines(diff, diff.rows()[row])) {
        text += frame_line(diff, line, width);
      }
      text += "\n";
    }
  }
  return text + closing_lines(diff, style);
}

std::string stack_diff_markdown(const StackDiff& diff) {
  std::string text;
  for (const Section& section : sections_of(diff)) {
    if (section.rows->empty()) {
      continue;
    }
    text += fmt::format("### {} ({})\n\n", section.title, sum_text(diff, *section.rows));
    TextTable table(
        {{"before", Align::right}, {"after", Align::right}, {"change", Align::right}, {"stack", Align::left}});
    for (const std::size_t row : *section.rows) {
      const Both values = diff.values(row, diff.measure());
      std::string frames;
      for (const FrameLine& line : frame_lines(diff, diff.rows()[row])) {
        frames += frames.empty() ? "" : " ← ";
        frames += line.mark == ' ' ? "" : fmt::format("({}) ", line.mark);
        frames += on_one_line(diff.name(line.name));
        frames += line.place.empty() ? "" : fmt::format(" ({})", on_one_line(line.place));
      }
      table.add_row({{decimal_text(diff.before(values))},
                     {decimal_text(diff.after(values))},
                     {signed_text(diff.delta(values))},
                     {frames}});
    }
    text += table.markdown() + "\n";
  }
  return text + closing_lines(diff, Style());
}

}  // namespace allocgate
