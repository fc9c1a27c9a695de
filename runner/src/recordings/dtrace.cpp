// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "recordings/formats.hpp"

#include "stacks/function_name.hpp"

#include <fmt/format.h>

#include <array>

namespace allocgate {

namespace {

bool is_indented(std::string_view line) {
  return !line.empty() && (line.front() == ' ' || line.front() == '\t');
}

/// "libc.so.6`malloc+0x12" or "0x7f12ab": what only a frame looks like. A program may print indented lines too.
bool is_frame(std::string_view text) {
  return text.find('`') != std::string_view::npos || is_nameless(text);
}

Frame frame_of(std::string_view text, Recording& recording) {
  Frame frame;
  // Quotes stand in names of C++ too; the first one ends the module, which has none.
  const std::size_t quote = text.find('`');
  if (quote != std::string_view::npos) {
    frame.module = recording.text(text.substr(0, quote));
    text.remove_prefix(quote + 1);
  }
  const std::size_t plus = text.rfind("+0x");
  if (plus != std::string_view::npos && plus != 0 && hexadecimal_number(text.substr(plus + 3))) {
    text = text.substr(0, plus);
  }
  frame.function = is_nameless(text) && frame.module != 0 ? 0 : recording.text(text);
  return frame;
}

class Reader {
public:
  explicit Reader(LineReader& lines) : m_lines(lines) { m_recording.add_measure({"allocations", "count", {}}); }

  Recording read() {
    while (const std::optional<std::string_view> line = m_lines.next()) {
      const std::string_view text = trimmed(*line);
      if (!is_indented(*line) || text.empty()) {
        end_without_count();
      } else if (const std::optional<Count> count = decimal_number(text); count && !m_frames.empty()) {
        add(*count);
      } else if (!count) {
        m_began_at = m_frames.empty() ? m_lines.line_number() : m_began_at;
        m_has_frame = m_has_frame || is_frame(text);
        m_frames.push_back(m_recording.frame(frame_of(text, m_recording)));
      }
    }
    end_without_count();
    return std::move(m_recording);
  }

private:
  void add(Count count) {
    m_recording.has_modules = true;
    if (!m_recording.add(m_recording.stack(m_frames), std::array<Count, 1>{count})) {
      m_lines.refuse("the sum of all counts does not fit in 64 bits");
    }
    m_frames.clear();
    m_has_frame = false;
  }

  void end_without_count() {
    if (m_has_frame) {
      m_lines.refuse(
          fmt::format("the stack that began on line {} has no count: the file was cut or is damaged", m_began_at));
    }
    m_frames.clear();
  }

  LineReader& m_lines;
  Recording m_recording;
  std::vector<FrameId> m_frames;
  bool m_has_frame = false;
  std::size_t m_began_at = 0;
};

}  // namespace

bool looks_like_dtrace(std::string_view beginning) {
  bool after_frame = false;
  while (!beginning.empty()) {
    const std::size_t end = std::min(beginning.find('\n'), beginning.size());
    const std::string_view line = beginning.substr(0, end);
    const std::string_view text = trimmed(line);
    if (is_indented(line) && after_frame && decimal_number(text)) {
      return true;
    }
    // A first stack that was cut in the middle is DTrace's too.
    after_frame = is_indented(line) && !text.empty() && text.find(';') == std::string_view::npos && is_frame(text);
    beginning.remove_prefix(std::min(end + 1, beginning.size()));
  }
  return after_frame;
}

Recording read_dtrace(LineReader& lines) {
  return Reader(lines).read();
}

}  // namespace allocgate
