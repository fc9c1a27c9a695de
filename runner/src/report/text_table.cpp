// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/text_table.hpp"

#include "report/text_width.hpp"

#include <algorithm>

namespace allocgate {

namespace {

constexpr std::size_t k_gap = 2;
constexpr std::size_t k_least_width = 12;  // below this a shortened name says nothing

std::string padded(const std::string& shown, std::size_t shown_width, std::size_t width, TextTable::Align align) {
  const std::string padding(width > shown_width ? width - shown_width : 0, ' ');
  return align == TextTable::Align::left ? shown + padding : padding + shown;
}

void end_line(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

std::string escaped_for_markdown(std::string_view text) {
  std::string result;
  for (const char character : text) {
    if (character == '|' || character == '\\' || character == '*' || character == '_' || character == '`') {
      result += '\\';
    }
    result += character;
  }
  return result;
}

}  // namespace

std::vector<std::size_t> TextTable::column_widths(std::size_t width) const {
  std::vector<std::size_t> widths;
  std::size_t total = 0;
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    std::size_t widest = display_width(m_columns[i].title);
    for (const auto& row : m_rows) {
      widest = std::max(widest, i < row.size() ? display_width(row[i].text) : 0);
    }
    widths.push_back(widest);
    total += widest + (i == 0 ? 0 : k_gap);
  }
  while (total > width) {
    std::size_t victim = m_columns.size();
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
      if (m_columns[i].may_shrink && widths[i] > k_least_width &&
          (victim == m_columns.size() || widths[i] > widths[victim])) {
        victim = i;
      }
    }
    if (victim == m_columns.size()) {
      break;
    }
    --widths[victim];
    --total;
  }
  return widths;
}

std::string TextTable::text(std::size_t width, const Style& style) const {
  const std::vector<std::size_t> widths = column_widths(width);
  std::string text;
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    const std::string& title = m_columns[i].title;
    text += std::string(i == 0 ? 0 : k_gap, ' ') +
            padded(style.painted(title, Paint::strong), display_width(title), widths[i], m_columns[i].align);
  }
  end_line(text);
  for (const auto& row : m_rows) {
    std::string line;
    for (std::size_t i = 0; i < m_columns.size() && i < row.size(); ++i) {
      const std::string shown = m_columns[i].may_shrink ? shortened_in_the_middle(row[i].text, widths[i]) : row[i].text;
      line += std::string(i == 0 ? 0 : k_gap, ' ') +
              padded(style.painted(shown, row[i].paint), display_width(shown), widths[i], m_columns[i].align);
    }
    end_line(line);
    text += line;
  }
  return text;
}

std::string TextTable::markdown() const {
  std::string text = "|";
  std::string rule = "|";
  for (const Column& column : m_columns) {
    text += " " + escaped_for_markdown(column.title) + " |";
    rule += column.align == Align::left ? " --- |" : " ---: |";
  }
  text += "\n" + rule + "\n";
  for (const auto& row : m_rows) {
    text += "|";
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
      text += " " + (i < row.size() ? escaped_for_markdown(row[i].text) : std::string()) + " |";
    }
    text += "\n";
  }
  return text;
}

}  // namespace allocgate
