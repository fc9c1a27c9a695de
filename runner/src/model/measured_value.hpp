// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace allocgate {

/// One measure of one workload at one place (a commit, a toolchain): what is compared between places. A plain value.
struct MeasuredValue {
  Count value = 0;  // at `iterations`; the lower median of the processes, or the minimum where the workload says so
  std::uint64_t iterations = 1;
  std::optional<Slope> slope;  // where the series is on a line: value = slope x iterations + setup
  std::optional<Count> setup;
  Better better = Better::lower;
  SeriesClass series_class = SeriesClass::exact;
  std::vector<Sample> samples;  // ascending by value, one value a process
  bool by_minimum = false;
};

/// `series` of `workload`, which holds it.
MeasuredValue measured_value(const WorkloadResult& workload, const Series& series);

/// The same at another number of iterations: what its line says there. Nothing where it has none, or no whole number
/// there.
std::optional<MeasuredValue> value_at(const MeasuredValue& value, std::uint64_t iterations);

/// Both as one: what another measurement of the same place adds. Their iterations are the same. It keeps its line where
/// nothing differs.
MeasuredValue merged(const MeasuredValue& first, const MeasuredValue& second);

}  // namespace allocgate
