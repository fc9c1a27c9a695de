// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace allocgate {

/// Which of many nested ranges of addresses is the innermost around an address: made once, then one binary search. A
/// value; any thread once made.
class IntervalMap {
public:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;     // one more than the last
    std::uint32_t depth = 0;   // greater inside of smaller
    std::uint32_t number = 0;  // what find() returns
  };

  static constexpr std::uint32_t k_nothing = std::numeric_limits<std::uint32_t>::max();

  IntervalMap() = default;
  /// Of ranges that overlap without one holding the other, the later has what they share.
  explicit IntervalMap(std::vector<Range> ranges);

  /// The number of the innermost range around `address`; k_nothing where there is none.
  [[nodiscard]] std::uint32_t find(std::uint64_t address) const {
    const auto next = std::upper_bound(m_pieces.begin(), m_pieces.end(), address,
                                       [](std::uint64_t wanted, const Piece& piece) { return wanted < piece.begin; });
    return next == m_pieces.begin() ? k_nothing : (next - 1)->number;
  }

private:
  struct Piece {
    std::uint64_t begin;  // up to the next one's
    std::uint32_t number;
  };

  void begin_piece(std::uint64_t begin, std::uint32_t number);

  std::vector<Piece> m_pieces;
};

}  // namespace allocgate
