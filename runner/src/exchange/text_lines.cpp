// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "exchange/text_lines.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace allocgate {

std::vector<TextLine> lines_of(std::string_view text) {
  std::vector<TextLine> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    TextLine line{text.substr(0, end), lines.size() + 1, end != std::string_view::npos};
    if (line.text.ends_with('\r')) {
      line.text.remove_suffix(1);
    }
    lines.push_back(line);
    text.remove_prefix(std::min(end, text.size() - 1) + 1);
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view k_blank = " \t";
  const std::size_t begin = std::min(text.find_first_not_of(k_blank), text.size());
  text.remove_prefix(begin);
  text.remove_suffix(text.size() - std::min(text.find_last_not_of(k_blank) + 1, text.size()));
  return text;
}

std::optional<Count> integer_of(std::string_view text) {
  Count value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  return end.ec == std::errc{} && end.ptr == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

void refuse_line(const std::filesystem::path& file, std::size_t line, std::string_view reason) {
  throw Error(ExitCode::unreadable_input,
              fmt::format("{}: line {}: {}; nothing was written", file.string(), line, reason));
}

void require_end(const TextLine& line, const std::filesystem::path& file) {
  if (!line.ended) {
    refuse_line(file, line.number,
                "the file ends within this line, so its number may be cut; if it is whole, end the line");
  }
}

}  // namespace allocgate
