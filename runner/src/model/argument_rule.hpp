// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <string>

namespace allocgate {

/// That a measure does not depend on an argument in the names of workloads, as somebody stated it. Where a workload
/// states it itself, the text is WorkloadResult::does_not_depend_on.
struct ArgumentRule {
  std::string workload;   // a name or a glob; empty: every workload that has the argument
  std::string statement;  // [MEASURE:]ARGUMENT; a left-out measure is `allocations`
};

}  // namespace allocgate
