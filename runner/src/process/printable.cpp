// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/printable.hpp"

#include <cstddef>
#include <cstdint>

namespace allocgate {
namespace {

constexpr unsigned char k_delete = 0x7F;

/// The length of the well-formed UTF-8 sequence at the start of `text`, or 0: RFC 3629, so no overlong forms, no
/// surrogates, nothing above U+10FFFF.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) {
    return 1;
  }
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) {
    return 0;
  }
  for (std::size_t index = 1; index < length; ++index) {
    if ((byte(index) & 0xC0) != 0x80) {
      return 0;
    }
  }
  const unsigned char second = byte(1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second > 0x9F;
  const bool too_large = lead == 0xF4 && second > 0x8F;
  return overlong || surrogate || too_large ? 0 : length;
}

bool is_shown(std::string_view sequence) {
  const auto byte = static_cast<unsigned char>(sequence.front());
  if (sequence.size() > 1) {
    // U+0080 to U+009F are control characters too, and terminals obey them.
    return !(byte == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0);
  }
  return byte == '\t' || byte == '\n' || (byte >= ' ' && byte != k_delete);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length != 0 && is_shown(text.substr(0, length))) {
      result += text.substr(0, length);
      text.remove_prefix(length);
    } else {
      result += '?';
      text.remove_prefix(length == 0 ? 1 : length);
    }
  }
  return result;
}

}  // namespace allocgate
