// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "stacks/recording.hpp"

#include <array>
#include <initializer_list>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace allocgate {

/// A recording of allocations alone, from stacks as people read them: "malloc < run < main", innermost first.
inline Recording recording_of(std::initializer_list<std::pair<std::string_view, Count>> stacks, Count bytes_each = 0) {
  Recording recording;
  recording.add_measure({"allocations", "count", {}});
  if (bytes_each != 0) {
    recording.add_measure({"allocated_bytes", "bytes", {}});
  }
  for (auto [text, count] : stacks) {
    std::vector<FrameId> frames;
    while (!text.empty()) {
      const std::size_t end = text.find(" < ");
      Frame frame;
      frame.function = recording.text(text.substr(0, end));
      frames.push_back(recording.frame(frame));
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 3);
    }
    const std::array<Count, 2> values = {count, count * bytes_each};
    if (!recording.add(recording.stack(frames), std::span(values).first(recording.measures().size()))) {
      throw std::overflow_error("an example must fit");
    }
  }
  return recording;
}

}  // namespace allocgate
