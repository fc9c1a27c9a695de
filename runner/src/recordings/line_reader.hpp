// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "base/text.hpp"
#include "recordings/byte_source.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

/// The lines of a recording, with their numbers for messages. One thread.
class LineReader {
public:
  /// `beginning` was read from the source already.
  LineReader(ByteSource& source, std::string beginning, std::string name);

  /// The next line without its end, valid until the next call; nothing at the end of the file. Throws Error (65) for a
  /// last line without a newline: every tool ends its lines, so what follows it was cut off.
  std::optional<std::string_view> next();

  [[nodiscard]] const std::string& name() const { return m_name; }
  [[nodiscard]] std::size_t line_number() const { return m_line_number; }

  /// Throws Error (65): "cannot read FILE: line N: reason".
  [[noreturn]] void refuse(std::string_view reason) const;

private:
  ByteSource& m_source;
  std::string m_buffer;
  std::size_t m_position = 0;
  bool m_at_end = false;
  std::string m_name;
  std::size_t m_line_number = 0;
};

}  // namespace allocgate
