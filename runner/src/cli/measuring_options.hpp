// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/select_workloads.hpp"
#include "cli/timing_options.hpp"
#include "measure/measure_workload.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace allocgate {

/// The options of the commands that measure workloads: `run`, `check`, `baseline update`.
struct MeasuringOptions {
  std::vector<std::string> names;   // names, globs or /regex/; empty: all
  std::vector<std::string> cores;   // of workloads over one of these; empty: any or none
  std::vector<std::string> suites;  // programs; empty: those of the configuration, else the installed ones
  std::string config;               // the configuration's file; empty: the nearest
  bool quick = false;
  unsigned jobs = 1;
  double timeout_seconds = 0;  // 0: the runner's own
  std::uint64_t iterations = 0;
  unsigned processes = 0;  // 0: three, or one with --quick
  std::string allocator = "system";
  TimingOptions timing;  // declared by the commands that have them

  /// Declares everything but the names; `jobs_are` says what there are `jobs` of at the same time.
  void setup(CLI::App& app, const char* jobs_are = "Workloads measured at the same time");
  /// Which workloads names and cores mean.
  [[nodiscard]] WorkloadChoice choice() const { return {names, cores}; }
  /// Whether any of them was given.
  [[nodiscard]] bool any() const;
  /// How to measure, as options say. Throws Error as plan_time does.
  [[nodiscard]] MeasureOptions measure_options(const Installation& installation) const;
  /// The options as words of a command line, for commands to paste: what is not as by default, without the choice of
  /// workloads, and without the times, which not all of these commands take.
  [[nodiscard]] std::vector<std::string> as_arguments() const;
};

/// `seconds` of an option as a time; nothing for 0.
std::optional<std::chrono::milliseconds> timeout_of(double seconds);

}  // namespace allocgate
