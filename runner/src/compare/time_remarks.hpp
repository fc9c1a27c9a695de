// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"

#include <optional>
#include <string>
#include <vector>

// What times say beside counts, in sentences. Pure; nothing is judged here.
namespace allocgate {

/// Whether the workload is bound by processors at all: how much of its wall time is time on them in its fastest runs,
/// which are the ones least disturbed, and what that means. Nothing without both times.
std::optional<std::string> processor_remark(const WorkloadResult& workload);

/// When the instructions of two results are equal and the time is not: that it is placement or stalls, or, where the
/// workload waits, whatever it waits for. Times differ when the middle of one lies outside of all that the other spans,
/// both ways, and by more than 2 %. Nothing without instructions and times in both, or where there is nothing to say.
std::optional<std::string> time_remark(const WorkloadResult& before, const WorkloadResult& after);

/// The same within one result: the processes executed the same instructions, and their times are far apart.
std::optional<std::string> spread_remark(const WorkloadResult& workload);

}  // namespace allocgate
