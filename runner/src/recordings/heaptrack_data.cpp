// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/result.hpp"
#include "recordings/formats.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace allocgate {

namespace {

constexpr std::uint64_t k_oldest_version = 1;
constexpr std::uint64_t k_newest_version = 3;
constexpr std::uint64_t k_version_of_inlined_frames = 2;
constexpr std::uint64_t k_version_of_string_lengths = 3;

/// The fields of a line, which are separated by one space each; numbers are hexadecimal.
class Fields {
public:
  Fields(std::string_view rest, const LineReader& lines) : m_rest(rest), m_lines(lines) {}

  [[nodiscard]] bool empty() const { return m_rest.empty(); }
  [[nodiscard]] std::string_view rest() const { return m_rest; }

  std::uint64_t number() {
    const std::size_t end = std::min(m_rest.find(' '), m_rest.size());
    const std::optional<std::uint64_t> number = hexadecimal_number(m_rest.substr(0, end));
    if (!number) {
      m_lines.refuse(m_rest.empty() ? "a number is missing: the file is damaged or was cut"
                                    : fmt::format("'{}' is not a hexadecimal number", m_rest.substr(0, end)));
    }
    m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
    return *number;
  }

  void expect_end() const {
    if (!m_rest.empty()) {
      m_lines.refuse(fmt::format("'{}' is one field too many", m_rest));
    }
  }

private:
  std::string_view m_rest;
  const LineReader& m_lines;
};

/// All blocks of one size from one stack.
struct BlockKind {
  std::uint64_t size = 0;
  StackId stack = 0;
  std::uint64_t allocations = 0;
  std::uint64_t deallocations = 0;
  std::uint64_t temporary = 0;
};

class Reader {
public:
  explicit Reader(LineReader& lines) : m_lines(lines) {}

  Recording read() {
    while (const std::optional<std::string_view> line = m_lines.next()) {
      if (!line->empty()) {
        read_line(*line);
      }
    }
    if (!m_version) {
      m_lines.refuse("the line with the version is missing");
    }
    if (!m_complete) {
      // A heaptrack_interpret that crashes leaves a file that looks whole but for this.
      m_lines.refuse("the mark at the end ('# ips: ...') is missing: the file was cut, or heaptrack_interpret crashed");
    }
    add_entries();
    return std::move(m_recording);
  }

private:
  void read_line(std::string_view line) {
    const char kind = line.front();
    if (line.size() > 1 && line[1] != ' ') {
      m_lines.refuse(fmt::format("'{}' is no record of heaptrack", line.substr(0, 20)));
    }
    Fields fields(line.substr(std::min<std::size_t>(2, line.size())), m_lines);
    if (kind == 'v') {
      read_version(fields);
      return;
    }
    if (!m_version) {
      m_lines.refuse("the line with the version is missing");
    }
    switch (kind) {
      case 's':
        return read_string(fields);
      case 'i':
        return read_instruction(fields);
      case 't':
        return read_trace(fields);
      case 'a':
        return read_block_kind(fields);
      case '+':
      case '-':
        return read_event(kind, fields);
      case 'A':
        return forget_counts();
      case 'X':
        m_recording.command = fields.rest();
        return;
      case '#':
        m_complete = m_complete || fields.rest().substr(0, 5) == "ips: ";
        return;
      case 'x':
      case 'm':
        m_lines.refuse(
            "this is what heaptrack records before it is interpreted; '/usr/lib/heaptrack/libexec/"
            "heaptrack_interpret < FILE' makes a file that can be read");
      case 'c':
      case 'R':
      case 'I':
      case 'S':
        return;  // times, memory, the machine, suppressions: nothing about stacks
      default:
        m_lines.refuse(fmt::format("no record of heaptrack begins with '{}'", kind));
    }
  }

  void read_version(Fields fields) {
    const std::uint64_t heaptrack = fields.number();
    constexpr std::uint64_t k_first_with_block_kinds = 0x10200;
    m_version = fields.empty() ? (heaptrack == k_first_with_block_kinds ? 1 : 0) : fields.number();
    if (*m_version < k_oldest_version || *m_version > k_newest_version) {
      m_lines.refuse(fmt::format("it is of version {}, and versions {} to {} can be read", *m_version, k_oldest_version,
                                 k_newest_version));
    }
  }

  void read_string(Fields fields) {
    if (*m_version < k_version_of_string_lengths) {
      m_strings.push_back(m_recording.text(fields.rest()));
      return;
    }
    const std::uint64_t length = fields.number();
    std::string text(fields.rest());
    while (text.size() < length) {
      // A name with a newline in it.
      const std::optional<std::string_view> more = m_lines.next();
      if (!more) {
        m_lines.refuse("a string is shorter than it says: the file was cut");
      }
      text.append("\n").append(*more);
    }
    if (text.size() != length) {
      m_lines.refuse(fmt::format("a string of {} bytes says that it has {}", text.size(), length));
    }
    m_strings.push_back(m_recording.text(text));
  }

  TextId string_at(std::uint64_t index) const {
    if (index >= m_strings.size()) {
      m_lines.refuse(fmt::format("there is no string {:x}", index));
    }
    return m_strings[index];
  }

  void read_instruction(Fields fields) {
    const std::uint64_t address = fields.number();
    const TextId module = string_at(fields.number());
    m_recording.has_modules = m_recording.has_modules || module != 0;
    std::vector<FrameId> frames;
    do {
      Frame frame;
      frame.module = module;
      if (!fields.empty()) {
        frame.function = string_at(fields.number());
      }
      if (!fields.empty()) {
        frame.file = string_at(fields.number());
        frame.line = static_cast<std::uint32_t>(fields.number());
      }
      if (frame.function == 0 && module == 0) {
        frame.function = m_recording.text(fmt::format("{:#x}", address));
      }
      frame.inlined = !fields.empty() && *m_version >= k_version_of_inlined_frames;
      frames.push_back(m_recording.frame(frame));
    } while (!fields.empty());
    m_instructions.push_back(std::move(frames));
  }

  void read_trace(Fields fields) {
    const std::uint64_t instruction = fields.number();
    const std::uint64_t parent = fields.number();
    fields.expect_end();
    if (instruction >= m_instructions.size() || parent >= m_traces.size()) {
      m_lines.refuse(fmt::format("there is no {}", instruction >= m_instructions.size()
                                                       ? fmt::format("instruction {:x}", instruction)
                                                       : fmt::format("trace {:x}", parent)));
    }
    StackId stack = m_traces[parent];
    const std::vector<FrameId>& frames = m_instructions[instruction];
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
      stack = m_recording.called_from(stack, *frame);
    }
    m_traces.push_back(stack);
  }

  void read_block_kind(Fields fields) {
    BlockKind kind;
    kind.size = fields.number();
    const std::uint64_t trace = fields.number();
    fields.expect_end();
    if (trace >= m_traces.size()) {
      m_lines.refuse(fmt::format("there is no trace {:x}", trace));
    }
    kind.stack = m_traces[trace];
    m_kinds.push_back(kind);
  }

  void read_event(char event, Fields fields) {
    const std::uint64_t index = fields.number();
    if (!fields.empty()) {
      m_lines.refuse("an event has the fields of a file that was not interpreted yet");
    }
    if (index >= m_kinds.size()) {
      m_lines.refuse(fmt::format("there is no allocation {:x}", index));
    }
    BlockKind& kind = m_kinds[index];
    if (event == '+') {
      ++kind.allocations;
      m_last_allocation = index;
      return;
    }
    ++kind.deallocations;
    kind.temporary += m_last_allocation == index ? 1 : 0;
    m_last_allocation.reset();
  }

  /// Heaptrack was attached to a running program here: what was before is not part of the recording.
  void forget_counts() {
    for (BlockKind& kind : m_kinds) {
      kind.allocations = kind.deallocations = kind.temporary = 0;
    }
    m_last_allocation.reset();
  }

  void add_entries() {
    for (const auto& [name, unit] : {std::pair{"allocations", "count"},
                                     {"allocated_bytes", "bytes"},
                                     {"deallocations", "count"},
                                     {"live_allocations", "count"},
                                     {"live_bytes", "bytes"},
                                     {"temporary_allocations", "count"}}) {
      m_recording.add_measure({name, unit, {}});
    }
    for (const BlockKind& kind : m_kinds) {
      const auto allocations = static_cast<Count>(kind.allocations);
      const auto deallocations = static_cast<Count>(kind.deallocations);
      Count bytes = 0;
      Count live = 0;
      const bool fits = !__builtin_mul_overflow(kind.size, allocations, &bytes) &&
                        !__builtin_mul_overflow(kind.size, allocations - deallocations, &live);
      const std::array<Count, 6> values = {
          allocations, bytes, deallocations, allocations - deallocations, live, static_cast<Count>(kind.temporary)};
      if (allocations == 0 && deallocations == 0) {
        continue;
      }
      if (!fits || !m_recording.add(kind.stack, values, size_class_of(kind.size))) {
        m_lines.refuse("its values do not fit in 64 bits: the file is damaged");
      }
    }
  }

  LineReader& m_lines;
  Recording m_recording;
  std::optional<std::uint64_t> m_version;
  bool m_complete = false;
  std::vector<TextId> m_strings = {0};
  std::vector<std::vector<FrameId>> m_instructions = {{}};
  std::vector<StackId> m_traces = {0};
  std::vector<BlockKind> m_kinds;
  std::optional<std::uint64_t> m_last_allocation;
};

}  // namespace

bool looks_like_heaptrack_data(std::string_view beginning) {
  const std::string_view line = trimmed(beginning.substr(0, beginning.find('\n')));
  if (line.substr(0, 2) != "v ") {
    return false;
  }
  const std::string_view numbers = line.substr(2);
  const std::size_t space = numbers.find(' ');
  return hexadecimal_number(numbers.substr(0, space)) &&
         (space == std::string_view::npos || hexadecimal_number(numbers.substr(space + 1)));
}

Recording read_heaptrack_data(LineReader& lines) {
  return Reader(lines).read();
}

}  // namespace allocgate
