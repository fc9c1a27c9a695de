// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "recordings/line_reader.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <charconv>

namespace allocgate {

namespace {

constexpr std::size_t k_piece = std::size_t{256} * 1024;

template <typename Number>
std::optional<Number> whole_number(std::string_view text, int base) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size() ? std::optional<Number>(number) : std::nullopt;
}

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

std::optional<std::int64_t> decimal_number(std::string_view text) {
  return whole_number<std::int64_t>(text, 10);
}

std::optional<std::uint64_t> hexadecimal_number(std::string_view text) {
  return whole_number<std::uint64_t>(text, 16);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view k_blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(k_blanks);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(k_blanks) - first + 1);
}

}  // namespace allocgate
