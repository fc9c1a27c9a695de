// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/text_width.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace allocgate {

namespace {

struct Character {
  char32_t code = 0;
  std::size_t length = 1;  // in bytes
  bool valid = true;       // else one byte that is no UTF-8
};

constexpr std::string_view k_ellipsis = "…";

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

Character character_at(std::string_view text, std::size_t position) {
  const auto first = static_cast<unsigned char>(text[position]);
  std::size_t length = 1;
  char32_t code = first;
  if (first >= 0xF0 && first < 0xF8) {
    length = 4;
    code = first & 0x07U;
  } else if (first >= 0xE0) {
    length = 3;
    code = first & 0x0FU;
  } else if (first >= 0xC0) {
    length = 2;
    code = first & 0x1FU;
  } else {
    return first < 0x80 ? Character{code, 1, true} : Character{U'?', 1, false};
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (position + i >= text.size() || !is_continuation(text[position + i])) {
      return {U'?', 1, false};
    }
    code = (code << 6U) | (static_cast<unsigned char>(text[position + i]) & 0x3FU);
  }
  return {code, length, true};
}

struct CodeRange {
  char32_t first;
  char32_t last;
};

template <std::size_t N>
bool lies_in(char32_t code, const std::array<CodeRange, N>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [code](const CodeRange& range) { return code >= range.first && code <= range.last; });
}

// Blocks of the Unicode character database, not single characters: enough for names in a table, and independent of
// the locale, which wcwidth is not.
constexpr auto k_no_width = std::to_array<CodeRange>(
    {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}});
constexpr auto k_wide = std::to_array<CodeRange>({{0x1100, 0x115F},
                                                  {0x2E80, 0x303E},
                                                  {0x3041, 0xA4CF},
                                                  {0xAC00, 0xD7A3},
                                                  {0xF900, 0xFAFF},
                                                  {0xFE30, 0xFE6F},
                                                  {0xFF00, 0xFF60},
                                                  {0xFFE0, 0xFFE6},
                                                  {0x1F300, 0x1F64F},
                                                  {0x1F900, 0x1F9FF},
                                                  {0x20000, 0x3FFFD}});

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

std::size_t width_of(char32_t code) {
  if (is_control(code) || lies_in(code, k_no_width)) {
    return 0;
  }
  return lies_in(code, k_wide) ? 2 : 1;
}

}  // namespace

std::size_t display_width(std::string_view utf8) {
  std::size_t width = 0;
  for (std::size_t position = 0; position < utf8.size();) {
    const Character character = character_at(utf8, position);
    width += width_of(character.code);
    position += character.length;
  }
  return width;
}

std::string shortened_in_the_middle(std::string_view utf8, std::size_t width) {
  if (display_width(utf8) <= width) {
    return std::string(utf8);
  }
  if (width <= 1) {
    return std::string(width == 1 ? k_ellipsis : std::string_view());
  }
  std::vector<std::string_view> characters;
  for (std::size_t position = 0; position < utf8.size();) {
    const std::size_t length = character_at(utf8, position).length;
    characters.push_back(utf8.substr(position, length));
    position += length;
  }
  const std::size_t for_tail = (width - 1) / 2;
  const std::size_t for_head = width - 1 - for_tail;
  std::string head;
  for (std::size_t used = 0, i = 0; i < characters.size(); ++i) {
    used += display_width(characters[i]);
    if (used > for_head) {
      break;
    }
    head += characters[i];
  }
  std::string tail;
  for (std::size_t used = 0, i = characters.size(); i > 0; --i) {
    used += display_width(characters[i - 1]);
    if (used > for_tail) {
      break;
    }
    tail.insert(0, characters[i - 1]);
  }
  return head.append(k_ellipsis).append(tail);
}

std::string on_one_line(std::string_view utf8) {
  std::string result;
  for (std::size_t position = 0; position < utf8.size();) {
    const Character character = character_at(utf8, position);
    if (is_control(character.code) || !character.valid) {
      result += '?';
    } else {
      result += utf8.substr(position, character.length);
    }
    position += character.length;
  }
  return result;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width, std::size_t first_indent) {
  std::string result(first_indent, ' ');
  std::size_t column = indent;
  bool at_start = true;
  std::size_t position = 0;
  while (position < text.size()) {
    if (text[position] == '\n') {
      result += '\n';
      if (position + 1 < text.size() && text[position + 1] != '\n') {
        result += std::string(indent, ' ');
      }
      column = indent;
      at_start = true;
      ++position;
      continue;
    }
    if (text[position] == ' ') {
      ++position;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \n", position), text.size());
    const std::string_view word = text.substr(position, end - position);
    const std::size_t word_width = display_width(word);
    if (!at_start && column + 1 + word_width > width) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
      at_start = true;
    }
    if (!at_start) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word_width;
    at_start = false;
    position = end;
  }
  return result + "\n";
}

}  // namespace allocgate
