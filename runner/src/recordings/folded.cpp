// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "recordings/formats.hpp"

#include "stacks/function_name.hpp"
#include "stacks/name_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace allocgate {

namespace {

struct Escape {
  char character;
  std::string_view written;
};

constexpr auto k_escapes = std::to_array<Escape>({{';', "%3B"}, {'\n', "%0A"}, {'\r', "%0D"}});

std::string unescaped(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto escape = std::find_if(k_escapes.begin(), k_escapes.end(), [name, i](const Escape& candidate) {
      return name.substr(i, candidate.written.size()) == candidate.written;
    });
    result += escape == k_escapes.end() ? name[i] : escape->character;
    i += escape == k_escapes.end() ? 0 : escape->written.size() - 1;
  }
  return result;
}

/// "run+0x1c", as perf's scripts write it, is a place in the function.
std::string_view without_offset(std::string_view name) {
  const std::size_t plus = name.rfind("+0x");
  const bool is_offset = plus != std::string_view::npos && plus != 0 && hexadecimal_number(name.substr(plus + 3));
  return is_offset && !is_nameless(name) ? name.substr(0, plus) : name;
}

class Reader {
public:
  explicit Reader(LineReader& lines) : m_lines(lines) { m_recording.add_measure({"allocations", "count", {}}); }

  Recording read() {
    while (const std::optional<std::string_view> line = m_lines.next()) {
      if (!trimmed(*line).empty()) {
        read_stack(trimmed(*line));
      }
    }
    return std::move(m_recording);
  }

private:
  void read_stack(std::string_view line) {
    const std::size_t space = line.rfind(' ');
    const std::optional<Count> count =
        space == std::string_view::npos ? std::nullopt : decimal_number(line.substr(space + 1));
    if (!count) {
      m_lines.refuse("it is not folded stacks: a stack ends with a space and a whole number");
    }
    std::string_view names = line.substr(0, space);
    // heaptrack_print ends each name with its file in parentheses, and the stack with a separator.
    const bool has_files = !names.empty() && names.back() == ';';
    names.remove_suffix(has_files ? 1 : 0);
    StackId stack = 0;
    while (true) {
      const std::size_t end = std::min(names.find(';'), names.size());
      const std::string_view name = names.substr(0, end);
      if (!name.empty()) {
        stack = m_recording.called_from(stack, m_recording.frame(frame_of(name, has_files)));
      }
      if (end == names.size()) {
        break;
      }
      names.remove_prefix(end + 1);
    }
    if (stack == 0) {
      m_lines.refuse("a count has no stack before it");
    }
    add(m_recording.add(stack, std::array<Count, 1>{*count}));
  }

  Frame frame_of(std::string_view name, bool has_file) {
    Frame frame;
    const std::size_t paren = name.rfind(" (");
    if (has_file && paren != std::string_view::npos && name.back() == ')') {
      frame.file = m_recording.text(name.substr(paren + 2, name.size() - paren - 3));
      name = name.substr(0, paren);
    }
    frame.function = m_recording.text(unescaped(without_offset(name)));
    return frame;
  }

  void add(bool fits) const {
    if (!fits) {
      m_lines.refuse("the sum of all counts does not fit in 64 bits");
    }
  }

  LineReader& m_lines;
  Recording m_recording;
};

}  // namespace

bool looks_like_folded(std::string_view beginning) {
  const std::size_t first = beginning.find_first_not_of("\n\r \t");
  if (first == std::string_view::npos) {
    return false;
  }
  const std::string_view line = trimmed(beginning.substr(first, beginning.find('\n', first) - first));
  const std::size_t space = line.rfind(' ');
  return line.find(';') != std::string_view::npos ||
         (space != std::string_view::npos && space != 0 && decimal_number(line.substr(space + 1)));
}

Recording read_folded(LineReader& lines) {
  return Reader(lines).read();
}

std::string folded_name(std::string_view name) {
  std::string result;
  for (const char character : name) {
    const auto escape = std::find_if(k_escapes.begin(), k_escapes.end(),
                                     [character](const Escape& candidate) { return candidate.character == character; });
    if (escape == k_escapes.end()) {
      result += character;
    } else {
      result += escape->written;
    }
  }
  return result;
}

std::string to_folded(const Recording& recording, std::size_t measure) {
  std::vector<std::string> names;
  for (FrameId id = 0; id < recording.frame_count(); ++id) {
    names.push_back(folded_name(shown_name(recording, recording.frame(id))));
  }
  std::map<std::string, Count> lines;
  for (std::size_t entry = 0; entry < recording.entry_count(); ++entry) {
    std::string line;
    const std::vector<FrameId> frames = recording.frames_of(recording.entry_stack(entry));
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
      line += (line.empty() ? "" : ";") + names[*frame];
    }
    lines[line.empty() ? std::string(k_not_listed) : line] += recording.entry_values(entry)[measure];
  }
  std::string text;
  for (const auto& [line, count] : lines) {
    if (count != 0) {
      text += fmt::format("{} {}\n", line, count);
    }
  }
  return text;
}

std::string to_folded(const StackDiff& diff) {
  std::map<std::string, std::pair<Wide, Wide>> lines;
  for (std::size_t row = 0; row < diff.rows().size(); ++row) {
    const Both values = diff.values(row, diff.measure());
    if (values.before == 0 && values.after == 0) {
      continue;
    }
    std::string line;
    const std::vector<NameId> frames = diff.frames(diff.rows()[row].stack);
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
      line += (line.empty() ? "" : ";") + folded_name(diff.name(*frame));
    }
    auto& [before, after] = lines[line];
    before += diff.exact_before(values);
    after += diff.exact_after(values);
  }
  std::string text;
  for (const auto& [line, counts] : lines) {
    text += fmt::format("{} {} {}\n", line, static_cast<Count>(counts.first), static_cast<Count>(counts.second));
  }
  return text;
}

}  // namespace allocgate
