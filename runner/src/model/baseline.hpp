// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "model/threshold.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// The accepted value of one series.
struct BaselineMeasure {
  Count value = 0;
  SeriesClass series_class = SeriesClass::exact;
  std::vector<Sample> samples;  // for series that are not exact
  std::optional<Slope> slope;
  std::optional<Threshold> threshold;  // set by hand in the file, or by `baseline update --threshold`
  bool leak_accepted = false;          // growth of live_allocations accepted by name
};

struct BaselineWorkload {
  std::uint64_t iterations = 1;
  std::optional<Gate> gate;
  std::vector<std::string> depends_on;
  std::map<std::string, BaselineMeasure> measures;
  std::string updated_at;  // RFC 3339
  std::string commit;
  std::string reason;
  std::string stacks;  // the name of the file with its call stacks, as BaselineStore has them; empty: none are kept
};

/// What is accepted for one suite on one testbed; the schema allocgate.baseline/1 is this struct.
/// Its file is baselines/<testbed id>/<suite>.json.
struct Baseline {
  Testbed testbed;
  std::string suite;
  std::map<std::string, BaselineWorkload> workloads;
};

}  // namespace allocgate
