// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "recordings/line_reader.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

namespace allocgate {

namespace {

constexpr std::size_t k_piece = std::size_t{256} * 1024;

}  // namespace

LineReader::LineReader(ByteSource& source, std::string beginning, std::string name)
    : m_source(source), m_buffer(std::move(beginning)), m_name(std::move(name)) {}

std::optional<std::string_view> LineReader::next() {
  ++m_line_number;
  std::size_t searched = m_position;
  std::size_t end = m_buffer.find('\n', searched);
  while (end == std::string::npos && !m_at_end) {
    searched = m_buffer.size() - m_position;
    m_buffer.erase(0, m_position);
    m_position = 0;
    m_buffer.resize(searched + k_piece);
    const std::size_t got = m_source.read(std::span(m_buffer).subspan(searched));
    m_at_end = got < k_piece;
    m_buffer.resize(searched + got);
    end = m_buffer.find('\n', searched);
  }
  if (end == std::string::npos) {
    if (m_position < m_buffer.size()) {
      refuse("the last line has no end: the file was cut; if it is whole, end it with a newline");
    }
    --m_line_number;
    return std::nullopt;
  }
  std::string_view line(m_buffer.data() + m_position, end - m_position);
  m_position = end + 1;
  if (!line.empty() && line.back() == '\r') {
    line.remove_suffix(1);
  }
  return line;
}

void LineReader::refuse(std::string_view reason) const {
  throw Error(ExitCode::unreadable_input, fmt::format("cannot read {}: line {}: {}", m_name, m_line_number, reason));
}

}  // namespace allocgate
