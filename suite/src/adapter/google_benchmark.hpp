// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "adapter/google_benchmark_versions.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// google-benchmark's registered cases, driven without its command line. On the main thread only.
namespace allocgate {

/// What one run said beside its time.
struct RunReport {
  std::string error;  // empty when it went well
  std::map<std::string, double> counters;
};

/// The names of the registered cases as google-benchmark gives them, in its order.
std::vector<std::string> registered_names();

/// The registered families and what the program fixed of them, collected by the wrapped functions.
class Families {
public:
  static Families& instance();

  void add(Family* family) { m_families.push_back({.family = family}); }
  void clear() { m_families.clear(); }
  void has_minimum_time(const Family* family);

  /// Makes every case run once, with `iterations` iterations. Names change by this, their order does not.
  void fix_iterations(std::int64_t iterations);

private:
  struct Known {
    Family* family = nullptr;
    bool minimum_time = false;  // MinTime or MinWarmUpTime was called
  };
  std::vector<Known> m_families;
};

/// Runs the one case named exactly `name` and prints nothing; absent when it is not registered or registered twice.
std::optional<RunReport> run_case(const std::string& name);

}  // namespace allocgate
