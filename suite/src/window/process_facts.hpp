// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstdint>
#include <optional>

// What the window meter asks the system about this process. Nothing here allocates, throws or leaves a descriptor open,
// so that it can be asked right before and right after a window. Linux answers from /proc; elsewhere, and where /proc
// is not mounted, the answers are absent.
namespace allocgate {

/// A set of open descriptors. One writer at a time.
class OpenDescriptors {
public:
  /// Makes this the set of descriptors that are open now; unknown when the system does not say, or when one of them is
  /// 65 536 or above.
  void read();

  /// How many are in this set and not in `before`; absent when one of the two is unknown.
  [[nodiscard]] std::optional<std::int32_t> count_missing_from(const OpenDescriptors& before) const;

private:
  static constexpr unsigned k_capacity = 65536;
  static constexpr unsigned k_bits = 64;

  bool m_known = false;
  std::uint64_t m_words[k_capacity / k_bits] = {};
};

/// What the threads other than the caller do; `running` is also: waiting for a processor, and: the system does not say.
enum class OtherThreads { none, asleep, running };
OtherThreads look_at_other_threads();

/// CLOCK_MONOTONIC in nanoseconds.
std::uint64_t monotonic_ns();

}  // namespace allocgate
