// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "compare/make_baseline.hpp"

#include <cstddef>
#include <optional>
#include <vector>

// One workload's part of make_baseline().
namespace allocgate {

/// What came of one workload.
struct MadeEntry {
  std::optional<BaselineWorkload> entry;  // none: the whole workload was refused, and its old entry stays
  bool differs = false;                   // from the old entry; then it wants a date, commit and reason
  std::vector<BaselineChange> changes;
  std::vector<BaselineRefusal> refusals;
  std::size_t unchanged = 0;
};

/// The entry of `workload` upon `existing`, which may be null. Date, commit and reason are left to the caller.
MadeEntry make_entry(const WorkloadResult& workload, const BaselineWorkload* existing,
                     const MakeBaselineOptions& options);

}  // namespace allocgate
