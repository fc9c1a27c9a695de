// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/output_tail.hpp"

#include "process/printable.hpp"

namespace allocgate {

void OutputTail::add(Stream stream, std::string_view bytes) {
  std::string& line = m_unfinished[static_cast<std::size_t>(stream)];
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    if (line.size() < k_line_bytes) {
      line += piece.substr(0, k_line_bytes - line.size());
    }
    if (end == std::string_view::npos) {
      return;
    }
    finish_line(line);
    bytes.remove_prefix(end + 1);
  }
}

void OutputTail::finish_line(std::string& line) {
  if (!line.empty() && line.back() == '\r') {
    line.pop_back();
  }
  m_lines.push_back(std::move(line));
  line.clear();
  if (m_lines.size() > k_lines) {
    m_lines.pop_front();
  }
}

std::string OutputTail::text() const {
  std::deque<std::string> lines = m_lines;
  for (const std::string& line : m_unfinished) {
    if (!line.empty()) {
      lines.push_back(line);
    }
  }
  std::string all;
  for (std::size_t index = lines.size() > k_lines ? lines.size() - k_lines : 0; index < lines.size(); ++index) {
    all += (all.empty() ? "" : "\n");
    all += lines[index];
  }
  return printable(all);
}

}  // namespace allocgate
