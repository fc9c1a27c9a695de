// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "exchange/text_lines.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

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
