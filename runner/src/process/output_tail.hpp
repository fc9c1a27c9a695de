// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace allocgate {

/// The last lines of what a program printed, however much it was. Lines of both streams in the order of their ends.
/// Bounded: a line is cut at k_line_bytes with its start kept. One thread.
class OutputTail {
public:
  static constexpr std::size_t k_lines = 20;
  static constexpr std::size_t k_line_bytes = 1000;

  enum class Stream { output, error };

  void add(Stream stream, std::string_view bytes);

  /// The lines, printable, separated by line ends, without one at the end. Unfinished lines come last.
  [[nodiscard]] std::string text() const;

private:
  void finish_line(std::string& line);

  std::deque<std::string> m_lines;
  std::string m_unfinished[2];
};

}  // namespace allocgate
