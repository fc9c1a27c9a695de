// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"

#include <string_view>

namespace allocgate {

/// Told how far a measurement is, so that the command can draw it. The functions do nothing unless overridden. They are
/// called by the thread that measures: by several at once where workloads are measured side by side.
class MeasureProgress {
public:
  virtual ~MeasureProgress() = default;
  /// Process `number` of `expected` begins, both from 1; `expected` grows when values differ.
  virtual void process_begins(std::string_view /*workload*/, unsigned /*number*/, unsigned /*expected*/) {}
  /// Told by the caller of measure_workload, which knows what it does with the result.
  virtual void workload_ends(const WorkloadResult& /*result*/) {}
};

}  // namespace allocgate
