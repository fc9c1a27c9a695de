// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "recordings/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace allocgate {

namespace {

bool begins_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

bool is_word(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9') || character == '_';
}

/// "@calls[" or "@calls[1234, ", which begins a key that goes on on the next line.
bool begins_key(std::string_view line) {
  if (!begins_with(line, "@")) {
    return false;
  }
  std::size_t end = 1;
  while (end < line.size() && is_word(line[end])) {
    ++end;
  }
  return end < line.size() && line[end] == '[' && line.find("]: ", end) == std::string_view::npos;
}

/// What follows "]: " on the line that ends a key; nothing where the line is a frame.
std::optional<std::string_view> value_after_key(std::string_view line) {
  // The rest of a key of several parts stands before the bracket: ", myprogram]: 12".
  if (!begins_with(line, "]:") && !begins_with(line, ", ")) {
    return std::nullopt;
  }
  const std::size_t end = line.rfind("]:");
  return end == std::string_view::npos ? std::nullopt : std::optional(trimmed(line.substr(end + 2)));
}

bool is_decimal(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "malloc+12", "0x7f12ab" or, with perf's layout, "7f12ab malloc+12 (/lib/libc.so.6)".
Frame frame_of(std::string_view text, Recording& recording) {
  Frame frame;
  const std::size_t paren = text.rfind(" (");
  const std::size_t space = text.find(' ');
  if (paren != std::string_view::npos && text.back() == ')' && space < paren &&
      hexadecimal_number(text.substr(0, space))) {
    const std::string_view module = text.substr(paren + 2, text.size() - paren - 3);
    frame.module = module.front() == '[' ? 0 : recording.text(module);
    text = text.substr(space + 1, paren - space - 1);
  }
  const std::size_t plus = text.rfind('+');
  if (plus != std::string_view::npos && plus != 0 && is_decimal(text.substr(plus + 1))) {
    text = text.substr(0, plus);
  }
  frame.function = recording.text(text);
  return frame;
}

class Reader {
public:
  explicit Reader(LineReader& lines) : m_lines(lines) { m_recording.add_measure({"allocations", "count", {}}); }

  Recording read() {
    while (const std::optional<std::string_view> line = m_lines.next()) {
      if (m_is_inside) {
        read_inside(*line);
      } else if (begins_key(*line)) {
        m_is_inside = true;
        m_began_at = m_lines.line_number();
        m_frames.clear();
      } else if (begins_with(*line, "Lost ") && line->find(" events") != std::string_view::npos) {
        m_recording.notes.push_back(fmt::format("bpftrace said '{}': its counts are too small", *line));
      }
    }
    if (m_is_inside) {
      m_lines.refuse(fmt::format("the key that began on line {} has no value: the file was cut", m_began_at));
    }
    return std::move(m_recording);
  }

private:
  void read_inside(std::string_view line) {
    const std::optional<std::string_view> value = value_after_key(line);
    if (!value) {
      const std::string_view text = trimmed(line);
      if (text.empty() || begins_key(line)) {
        m_lines.refuse(fmt::format("the key that began on line {} has no value: the file is damaged", m_began_at));
      }
      m_frames.push_back(m_recording.frame(frame_of(text, m_recording)));
      m_recording.has_modules = m_recording.has_modules || m_recording.frame(m_frames.back()).module != 0;
      return;
    }
    m_is_inside = false;
    const std::optional<Count> count = decimal_number(*value);
    if (!count) {
      if (is_decimal(*value)) {
        m_lines.refuse(fmt::format("'{}' does not fit in 64 bits", *value));
      }
      return;  // a histogram or an average: not a count
    }
    if (m_frames.empty()) {
      m_frames.push_back(m_recording.frame(Frame()));  // a stack that bpftrace could not walk
    }
    if (!m_recording.add(m_recording.stack(m_frames), std::array<Count, 1>{*count})) {
      m_lines.refuse("the sum of all counts does not fit in 64 bits");
    }
  }

  LineReader& m_lines;
  Recording m_recording;
  bool m_is_inside = false;
  std::size_t m_began_at = 0;
  std::vector<FrameId> m_frames;
};

}  // namespace

bool looks_like_bpftrace(std::string_view beginning) {
  while (!beginning.empty()) {
    const std::size_t end = std::min(beginning.find('\n'), beginning.size());
    if (begins_key(beginning.substr(0, end))) {
      return true;
    }
    beginning.remove_prefix(std::min(end + 1, beginning.size()));
  }
  return false;
}

Recording read_bpftrace(LineReader& lines) {
  return Reader(lines).read();
}

}  // namespace allocgate
