// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "symbols/interval_map.hpp"

#include <tuple>

namespace allocgate {

void IntervalMap::begin_piece(std::uint64_t begin, std::uint32_t number) {
  if (!m_pieces.empty() && m_pieces.back().begin == begin) {
    m_pieces.back().number = number;
  } else if (m_pieces.empty() || m_pieces.back().number != number) {
    m_pieces.push_back({begin, number});
  }
}

IntervalMap::IntervalMap(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const Range& one, const Range& other) {
    return std::tie(one.begin, one.depth, other.end, one.number) <
           std::tie(other.begin, other.depth, one.end, other.number);
  });
  std::vector<Range> open;
  std::uint64_t position = 0;
  const auto close_up_to = [&](std::uint64_t address) {
    while (!open.empty() && open.back().end <= address) {
      position = std::max(position, open.back().end);
      open.pop_back();
      begin_piece(position, open.empty() ? k_nothing : open.back().number);
    }
  };
  for (const Range& range : ranges) {
    if (range.begin >= range.end) {
      continue;
    }
    close_up_to(range.begin);
    position = std::max(position, range.begin);
    begin_piece(position, range.number);
    open.push_back(range);
  }
  close_up_to(std::numeric_limits<std::uint64_t>::max());
  m_pieces.shrink_to_fit();
}

}  // namespace allocgate
