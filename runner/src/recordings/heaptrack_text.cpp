// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "recordings/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace allocgate {

namespace {

constexpr std::string_view k_title = "MOST CALLS TO ALLOCATION FUNCTIONS";
constexpr auto k_other_titles =
    std::to_array<std::string_view>({"PEAK MEMORY CONSUMERS", "MEMORY LEAKS", "MOST TEMPORARY ALLOCATIONS"});

bool begins_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

/// N of "N calls to allocation functions with S peak consumption from", which begins a group of one leaf.
std::optional<Count> group_count(std::string_view line) {
  const std::size_t end = line.find(" calls to allocation functions with ");
  return end == std::string_view::npos ? std::nullopt : decimal_number(line.substr(0, end));
}

/// N of "N calls with S peak consumption from:", which begins one stack of a group.
std::optional<Count> stack_count(std::string_view line) {
  const std::size_t end = line.find(" calls with ");
  return end == std::string_view::npos || line.back() != ':' ? std::nullopt : decimal_number(line.substr(0, end));
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

class Reader {
public:
  explicit Reader(LineReader& lines) : m_lines(lines) { m_recording.add_measure({"allocations", "count", {}}); }

  Recording read() {
    while (const std::optional<std::string_view> line = m_lines.next()) {
      m_last_is_empty = line->empty();
      read_line(*line);
    }
    const bool group_is_open = m_group.has_value();
    end_group(true);
    if (!m_found_groups) {
      m_lines.refuse("it lists no calls to allocation functions; print it with 'heaptrack_print -a 1'");
    }
    if (!m_total && (m_is_whole_output || (group_is_open && !m_last_is_empty && m_last_fell_short))) {
      m_lines.refuse("the end is missing: the file was cut");
    }
    add_what_is_missing();
    m_recording.has_modules = true;
    return std::move(m_recording);
  }

private:
  struct Group {
    Count count = 0;
    Count listed = 0;
    bool is_merged = false;  // stacks of one leaf together, the leaf only once
    std::vector<FrameId> leaf;
    bool has_other_places = false;
  };

  void read_line(std::string_view line) {
    constexpr std::string_view k_debuggee = "Debuggee command was: ";
    constexpr std::string_view k_total = "calls to allocation functions: ";
    if (begins_with(line, "reading file \"")) {
      m_is_whole_output = true;  // which ends with a summary
    } else if (begins_with(line, k_debuggee)) {
      m_recording.command = line.substr(k_debuggee.size());
    } else if (begins_with(line, k_total)) {
      end_group(false);
      m_total = decimal_number(line.substr(k_total.size(), line.find(' ', k_total.size()) - k_total.size()));
      if (!m_total) {
        m_lines.refuse("the total of calls is not a number");
      }
    } else if (line == k_title) {
      m_is_passed_over = false;
    } else if (std::find(k_other_titles.begin(), k_other_titles.end(), line) != k_other_titles.end()) {
      end_group(false);
      m_is_passed_over = true;
    } else if (!m_is_passed_over) {
      read_group_line(line);
    }
  }

  void read_group_line(std::string_view line) {
    if (const std::optional<Count> count = group_count(line)) {
      end_group(false);
      m_group = Group{*count, 0, false, {}, false};
      m_found_groups = true;
      m_stack.clear();
      m_stack_count.reset();
      return;
    }
    if (!m_group) {
      return;  // the program's name, or a section that we do not know
    }
    if (line.empty()) {
      if (!m_group->is_merged || m_stack_count || m_group->has_other_places) {
        end_group(false);
      }
      return;
    }
    if (begins_with(line, "  and ") && m_group->is_merged && line.find(" other places") != std::string_view::npos) {
      const std::string_view rest = line.substr(6);
      const std::optional<Count> others = decimal_number(rest.substr(0, rest.find(' ')));
      end_stack();
      if (!others) {
        m_lines.refuse("what other places have is not a number");
      }
      add_others(*others);
      return;
    }
    if (const std::optional<Count> count = stack_count(line); count && indent_of(line) == 0) {
      end_stack();
      m_group->is_merged = true;
      m_stack_count = *count;
      return;
    }
    read_frame_line(line);
  }

  void read_frame_line(std::string_view line) {
    const std::size_t indent = indent_of(line);
    std::vector<FrameId>& frames = m_stack_count ? m_stack : m_group->leaf;
    if (frames.empty()) {
      m_frame_indent = indent;
      m_group->is_merged = m_group->is_merged || (indent == 0 && !m_stack_count);
    }
    if (indent == m_frame_indent) {
      Frame frame;
      frame.function = m_recording.text(line.substr(indent));
      // Frames without a module of their own were inlined together with the one before them.
      frame.module = frames.empty() ? 0 : m_recording.frame(frames.back()).module;
      frames.push_back(m_recording.frame(frame));
      return;
    }
    if (indent != m_frame_indent + 2 || frames.empty()) {
      m_lines.refuse("an indentation that heaptrack_print does not use: the file is damaged");
    }
    Frame frame = m_recording.frame(frames.back());
    const std::string_view text = line.substr(indent);
    if (begins_with(text, "at ")) {
      const std::size_t colon = text.rfind(':');
      const std::optional<Count> number = decimal_number(text.substr(std::min(colon, text.size() - 1) + 1));
      if (colon == std::string_view::npos || !number || *number < 0 || *number > 0x7fffffff) {
        m_lines.refuse(fmt::format("'{}' is not a place in a file", text));
      }
      frame.file = m_recording.text(text.substr(3, colon - 3));
      frame.line = static_cast<std::uint32_t>(*number);
    } else if (begins_with(text, "in ")) {
      frame.module = text == "in ??" ? 0 : m_recording.text(text.substr(3));
      // The frame that has the module is the innermost of its place; the one before it was the end of another.
    } else {
      m_lines.refuse(fmt::format("'{}' is neither the place nor the module of a frame", text));
    }
    frames.back() = m_recording.frame(frame);
  }

  void end_stack() {
    if (!m_stack_count && m_group->is_merged) {
      return;
    }
    const Count count = m_stack_count ? *m_stack_count : m_group->count;
    std::vector<FrameId> frames = m_group->leaf;
    frames.insert(frames.end(), m_stack.begin(), m_stack.end());
    if (frames.empty()) {
      m_lines.refuse("a stack has no frames");
    }
    add(m_recording.add(m_recording.stack(frames), std::array<Count, 1>{count}));
    m_group->listed += count;
    m_stack.clear();
    m_stack_count.reset();
    if (!m_group->is_merged) {
      m_group.reset();
    }
  }

  void add_others(Count count) {
    m_group->listed += count;
    m_group->has_other_places = true;
    add(m_recording.add_unlisted(std::array<Count, 1>{count}, m_recording.stack(m_group->leaf)));
  }

  void end_group(bool at_end) {
    if (!m_group) {
      return;
    }
    if (!m_group->is_merged && m_group->leaf.empty()) {
      m_lines.refuse(at_end ? "a group has no frames: the file was cut" : "a group has no frames");
    }
    end_stack();
    if (!m_group) {
      return;
    }
    const Count missing = m_group->count - m_group->listed;
    if (missing < 0) {
      m_lines.refuse(fmt::format("the stacks of a group of {} calls have {}", m_group->count, m_group->listed));
    }
    m_last_fell_short = missing > 0;
    if (missing > 0) {
      add_others(missing);
    }
    m_group.reset();
  }

  void add_what_is_missing() {
    if (!m_total) {
      return;
    }
    const Count missing = *m_total - m_recording.totals().front();
    if (missing < 0) {
      m_lines.refuse(fmt::format("its stacks have {} calls, and its total only {}: the file is damaged",
                                 m_recording.totals().front(), *m_total));
    }
    if (missing > 0) {
      add(m_recording.add_unlisted(std::array<Count, 1>{missing}));
    }
  }

  void add(bool fits) const {
    if (!fits) {
      m_lines.refuse("the sum of all calls does not fit in 64 bits");
    }
  }

  LineReader& m_lines;
  Recording m_recording;
  bool m_is_passed_over = false;
  bool m_found_groups = false;
  bool m_is_whole_output = false;
  bool m_last_is_empty = false;
  bool m_last_fell_short = false;
  std::optional<Group> m_group;
  std::vector<FrameId> m_stack;
  std::optional<Count> m_stack_count;
  std::size_t m_frame_indent = 0;
  std::optional<Count> m_total;
};

}  // namespace

bool looks_like_heaptrack_text(std::string_view beginning) {
  while (!beginning.empty()) {
    const std::size_t end = std::min(beginning.find('\n'), beginning.size());
    const std::string_view line = trimmed(beginning.substr(0, end));
    if (line == k_title || group_count(line) ||
        std::find(k_other_titles.begin(), k_other_titles.end(), line) != k_other_titles.end()) {
      return true;
    }
    beginning.remove_prefix(std::min(end + 1, beginning.size()));
  }
  return false;
}

Recording read_heaptrack_text(LineReader& lines) {
  return Reader(lines).read();
}

}  // namespace allocgate
