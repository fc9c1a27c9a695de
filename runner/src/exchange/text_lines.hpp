// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "base/text.hpp"

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

// Lines of text files with their numbers, for the readers of line formats.
namespace allocgate {

struct TextLine {
  std::string_view text;  // without its end
  std::size_t number = 0;
  bool ended = true;  // false: the file ends before the line does
};

/// Valid while `text` is. A carriage return before the end of a line belongs to the end.
std::vector<TextLine> lines_of(std::string_view text);

/// Throws Error (65): "FILE: line N: reason".
[[noreturn]] void refuse_line(const std::filesystem::path& file, std::size_t line, std::string_view reason);

/// Refuses a line that holds a value and has no end: a cut number is a number too.
void require_end(const TextLine& line, const std::filesystem::path& file);

}  // namespace allocgate
