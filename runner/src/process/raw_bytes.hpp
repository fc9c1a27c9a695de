// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

namespace allocgate {

/// The value of type T that lies `offset` bytes into `bytes`, at any alignment. The caller has seen that it lies
/// within.
template <typename T>
T value_at(std::span<const std::byte> bytes, std::size_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace allocgate
