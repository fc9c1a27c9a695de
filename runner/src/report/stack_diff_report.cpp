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
    if (i != diff.measure() && diff.measures()[i].is_in_both() &&
        (name == "allocations" || name == "allocated_bytes")) {
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

/// The frames of a row as lines; of a pair those that differ marked with - and +.
class FrameLines {
public:
  FrameLines(const StackDiff& diff, std::size_t row)
      : m_before(diff.frames(diff.rows()[row].before_stack)),
        m_after(diff.frames(diff.rows()[row].stack)),
        m_places(diff.places(row)) {}

  std::vector<FrameLine> write() {
    // The longest common sequence, from the ends that are equal anyway.
    const std::size_t shorter = std::min(m_before.size(), m_after.size());
    while (m_first < shorter && m_before[m_first] == m_after[m_first]) {
      add_after(' ', m_first++);
    }
    std::size_t last = 0;
    while (last < shorter - m_first && m_before[m_before.size() - 1 - last] == m_after[m_after.size() - 1 - last]) {
      ++last;
    }
    m_height = m_before.size() - m_first - last;
    m_width = m_after.size() - m_first - last;
    if (m_height > k_longest_aligned || m_width > k_longest_aligned) {
      add_one_after_the_other();
    } else {
      add_aligned();
    }
    for (std::size_t i = m_after.size() - last; i < m_after.size(); ++i) {
      add_after(' ', i);
    }
    return std::move(m_lines);
  }

private:
  void add_before(std::size_t frame) { m_lines.push_back({'-', m_before[frame], {}}); }
  void add_after(char mark, std::size_t frame) { m_lines.push_back({mark, m_after[frame], m_places[frame]}); }

  void add_one_after_the_other() {
    for (std::size_t i = 0; i < m_height; ++i) {
      add_before(m_first + i);
    }
    for (std::size_t j = 0; j < m_width; ++j) {
      add_after('+', m_first + j);
    }
  }

  void add_aligned() {
    std::vector<std::vector<std::size_t>> common(m_height + 1, std::vector<std::size_t>(m_width + 1));
    for (std::size_t i = m_height; i-- > 0;) {
      for (std::size_t j = m_width; j-- > 0;) {
        common[i][j] = m_before[m_first + i] == m_after[m_first + j] ? common[i + 1][j + 1] + 1
                                                                     : std::max(common[i + 1][j], common[i][j + 1]);
      }
    }
    for (std::size_t i = 0, j = 0; i < m_height || j < m_width;) {
      if (i < m_height && j < m_width && m_before[m_first + i] == m_after[m_first + j]) {
        add_after(' ', m_first + j);
        ++i, ++j;
      } else if (i < m_height && (j == m_width || common[i + 1][j] >= common[i][j + 1])) {
        add_before(m_first + i++);
      } else {
        add_after('+', m_first + j++);
      }
    }
  }

  std::vector<NameId> m_before;
  std::vector<NameId> m_after;
  std::vector<std::string> m_places;
  std::vector<FrameLine> m_lines;
  std::size_t m_first = 0;   // frames at the inner end that are equal
  std::size_t m_height = 0;  // frames that may differ, before and after
  std::size_t m_width = 0;
};

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
  return fmt::format("{}, {}", counted_rows(rows.size(), diff.by()), signed_text(diff.delta(sum)));
}

std::string closing_lines(const StackDiff& diff, const Style& style) {
  std::string text = fmt::format("total: {}{}\n", change_text(diff, diff.totals(), style),
                                 diff.is_per_iteration() ? ", per iteration" : "");
  if (diff.hidden().stacks != 0) {
    text += fmt::format("not shown: {} with changes, {}\n", counted_rows(diff.hidden().stacks, diff.by()),
                        signed_text(diff.delta(diff.hidden().values[diff.measure()])));
  }
  if (diff.unchanged() != 0) {
    text += fmt::format("{} the same\n", counted_rows(diff.unchanged(), diff.by()));
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
      for (const FrameLine& line : FrameLines(diff, row).write()) {
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
      for (const FrameLine& line : FrameLines(diff, row).write()) {
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
