// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/measure_time.hpp"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace allocgate {

/// The options of the commands that measure time beside counts: `run`, `check`.
struct TimingOptions {
  bool time = false;
  unsigned processes = 0;    // 0: ten
  std::string instructions;  // perf, callgrind; empty: perf
  std::string events;        // names, separated by commas

  void setup(CLI::App& app);
  /// Each of them asks for times.
  [[nodiscard]] bool is_wanted() const { return time || processes != 0 || !instructions.empty() || !events.empty(); }
  /// Nothing when no time is wanted. Throws Error as plan_time does.
  [[nodiscard]] std::optional<TimePlan> plan() const;
  /// As words of a command line.
  [[nodiscard]] std::vector<std::string> as_arguments() const;
};

}  // namespace allocgate
