// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <string>

namespace allocgate::suite {

/// One masked, binary and final WebSocket message as a client sends it (RFC 6455, section 5.2). `payload` is its length
/// in bytes: 0, or from 126 to 65535.
inline std::string masked_frame(std::size_t payload) {
  constexpr char k_binary_and_last = static_cast<char>(0x82);
  constexpr char k_masked = static_cast<char>(0x80);
  constexpr char k_long = 126;
  std::string frame{k_binary_and_last};
  if (payload == 0) {
    frame += k_masked;
  } else {
    frame += static_cast<char>(k_masked | k_long);
    frame += static_cast<char>(payload >> 8U);
    frame += static_cast<char>(payload & 0xFFU);
  }
  return frame + std::string("\1\2\3\4", 4) + std::string(payload, 'x');
}

}  // namespace allocgate::suite
