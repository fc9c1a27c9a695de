// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "model/threshold.hpp"
#include "model/waiver.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

/// A command that is a workload, in any language: it runs once for each iteration count.
struct ConfiguredWorkload {
  std::string name;
  std::vector<std::string> command;  // "{iterations}" in a word stands for the count
  std::uint64_t iterations = 1;      // N
  std::optional<Gate> gate;
  std::vector<std::string> depends_on;
  std::optional<std::int64_t> timeout_ms;  // of one process
  std::string exercises;                   // one line for `list`; may be empty
};

/// What the project says about workloads that come from a program, over what the program itself declares.
struct WorkloadOverride {
  std::string workload;  // a name, or a glob
  std::optional<Gate> gate;
  std::vector<std::string> depends_on;  // added to the program's own
};

/// The suite to which the configured commands belong when the file does not name it.
constexpr std::string_view k_default_command_suite = "commands";

/// What a project wants to be measured and how it is judged; the schema allocgate.configuration/1 is this struct. Paths
/// are as written: they begin at the folder of the file.
struct Configuration {
  std::string name = std::string(k_default_command_suite);  // the suite of `workloads`, so a file name of baselines
  std::optional<std::string> build;                         // a shell line that builds what is measured
  std::optional<std::string> baselines;                     // the folder of baselines
  std::vector<std::string> suites;                          // google-benchmark programs
  std::vector<ConfiguredWorkload> workloads;
  std::vector<WorkloadOverride> overrides;
  std::vector<ThresholdRule> thresholds;  // their source is `configuration`
  std::vector<Waiver> waivers;
};

}  // namespace allocgate
