// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// What suite programs tell the runner: plain data of hooks/include/allocgate/suite_protocol.h and of google-benchmark.
namespace allocgate {

/// One workload as the adapter lists it; what it did not say is empty, absent or zero.
struct SuiteWorkload {
  std::string name;
  std::string core;
  std::string core_version;
  std::string exercises;
  std::uint64_t iterations = 0;  // 0: not said
  unsigned threads = 1;
  std::optional<Gate> gate;
  std::vector<std::string> depends_on;
  std::vector<std::string> does_not_depend_on;
  std::vector<WorkloadLayer> layers;
};

/// What one window said beside its counts.
struct SuiteWindow {
  std::uint64_t iterations = 0;
  std::string error;  // empty when it went well
  std::map<std::string, double> counters;
  std::map<std::string, Count> times;  // without the hooks: measures of the loop that are no counts of the hooks
};

/// One run in the JSON that google-benchmark writes with --benchmark_format=json.
struct GoogleBenchmarkRun {
  std::string name;
  std::uint64_t iterations = 0;
  bool aggregate = false;  // mean, median ... of other runs
  std::string error;
  std::map<std::string, double> counters;  // the program's own: every number that google-benchmark does not define
};

}  // namespace allocgate
