// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/measured_value.hpp"
#include "model/result.hpp"

#include <cstdint>
#include <optional>
#include <string>

// One number out of a result, to be laid beside those of other places. Pure.
namespace allocgate {

/// A value, or why there is none.
struct FoundValue {
  std::optional<MeasuredValue> value;
  std::string unit;
  std::string reason;  // one sentence without a full stop
};

/// The value of `measure` of the workload called `workload`. That it is not there is said with the nearest name, or
/// with why a workload was not measured.
FoundValue find_value(const Result& result, const std::string& workload, const std::string& measure);

/// The same at `iterations`, those of the first of several places, so that like is laid beside like.
FoundValue at_iterations(FoundValue found, std::uint64_t iterations);

}  // namespace allocgate
