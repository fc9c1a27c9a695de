// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "adapter/google_benchmark.hpp"
#include "adapter/loop_clock.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// The two JSON documents of suite_protocol.h, written by hand so that the adapter brings no library into a program.
namespace allocgate {

/// The listing of the cases `names`, with what they were described as.
std::string listing_json(const std::vector<std::string>& names);

/// What one window says beside its counts.
struct WindowReport {
  std::uint64_t iterations = 0;
  RunReport run;
  std::optional<LoopTimes> times;  // without the hooks only
};

/// The report of the windows, in their order. Counters that are not finite are left out: JSON has no word for them.
std::string report_json(const std::vector<WindowReport>& windows);

}  // namespace allocgate
