// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "process/launcher.hpp"
#include "process/record_contents.hpp"

#include <map>
#include <string>
#include <vector>

// From counters of the record to measures by name.
namespace allocgate {

/// The measures of `counters`, derived ones included: live_allocations, slack_bytes. Usable sizes only if counted.
std::map<std::string, Count> measures_of(const RecordCounters& counters, bool usable_sizes);

/// All images of the record added up: each process's own peak, so that the sum's is an upper bound.
RecordCounters sum_of(const std::vector<RecordProcess>& processes);

/// The images of a run, the command itself first, then programs without hooks, which have no measures. Its end is what
/// waitpid told, its children's what their hooks saw; what nobody saw is absent.
std::vector<ProcessResult> process_results(const LaunchOutcome& outcome, const RecordContents& contents,
                                           const std::string& command);

/// By how many bytes peak_live_bytes may be off when `threads` threads allocated; nothing with one.
std::optional<Count> peak_error_bound(std::uint32_t threads);

}  // namespace allocgate
