// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"

#include <span>
#include <string>

namespace allocgate {

/// Adds the samples of `again`, another measurement of the same workload, to `first`: class, median and line are those
/// of all processes together; sizes, processes and notes are the later ones. A measure that only one of them has is
/// dropped, a status that is not ok wins. Pure.
/// Throws Error (64) when the two were measured at different iterations.
void merge_workload(WorkloadResult& first, const WorkloadResult& again);

/// One result of several of the same testbed; workloads that occur more than once are merged. `names` says in messages
/// where each came from. Throws Error (64) for results of different testbeds.
Result merge_results(std::span<const Result> results, std::span<const std::string> names);

/// The same of repeats of one measurement; each series then has its repeat_spread.
Result merge_repeats(std::span<const Result> results, std::span<const std::string> names);

}  // namespace allocgate
