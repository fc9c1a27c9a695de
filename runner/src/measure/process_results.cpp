// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/process_results.hpp"

#include "process/alive.hpp"
#include "process/printable.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace allocgate {
namespace {

constexpr Count k_published_every_bytes = 4096;  // by each thread; hooks/include/allocgate/hook_record.h

constexpr std::array k_counters = {
    &RecordCounters::allocations,        &RecordCounters::deallocations,   &RecordCounters::reallocations,
    &RecordCounters::failed_allocations, &RecordCounters::allocated_bytes, &RecordCounters::allocated_usable_bytes,
    &RecordCounters::deallocated_bytes,  &RecordCounters::live_bytes,      &RecordCounters::peak_live_bytes,
};

/// A record may hold anything; a sum of such numbers must at least be defined.
void add_saturating(Count& to, Count value) {
  if (__builtin_add_overflow(to, value, &to)) {
    to = value > 0 ? std::numeric_limits<Count>::max() : std::numeric_limits<Count>::min();
  }
}

void set_root_end(const LaunchOutcome& outcome, ProcessResult& root) {
  switch (outcome.kind) {
    case LaunchOutcome::Kind::exited:
      root.end = ProcessEnd::exited;
      root.exit_code = outcome.exit_code;
      break;
    case LaunchOutcome::Kind::signalled:
    case LaunchOutcome::Kind::timed_out:
      root.end = ProcessEnd::signalled;
      root.exit_code.reset();
      break;
    case LaunchOutcome::Kind::not_found:
    case LaunchOutcome::Kind::not_executable:
      break;
  }
}

/// Its name and no measures: a zero would look like a count.
ProcessResult blind_result(const RecordBlindProgram& program) {
  ProcessResult result;
  result.pid = program.pid;
  result.parent_pid = program.parent_pid;
  result.executable = program.program;
  if (program.pid != 0 && is_alive(program.pid)) {
    result.end = ProcessEnd::running;
  }
  return result;
}

}  // namespace

std::map<std::string, Count> measures_of(const RecordCounters& counters, bool usable_sizes) {
  std::map<std::string, Count> measures = {
      {"allocations", counters.allocations},
      {"allocated_bytes", counters.allocated_bytes},
      {"live_allocations", counters.allocations - counters.deallocations},
      {"deallocations", counters.deallocations},
      {"reallocations", counters.reallocations},
      {"failed_allocations", counters.failed_allocations},
  };
  if (usable_sizes) {
    measures["allocated_usable_bytes"] = counters.allocated_usable_bytes;
    measures["deallocated_bytes"] = counters.deallocated_bytes;
    measures["live_bytes"] = counters.live_bytes;
    measures["slack_bytes"] = counters.allocated_usable_bytes - counters.allocated_bytes;
    measures["peak_live_bytes"] = counters.peak_live_bytes;
  }
  return measures;
}

RecordCounters sum_of(const std::vector<RecordProcess>& processes) {
  RecordCounters sum;
  for (const RecordProcess& process : processes) {
    for (const auto counter : k_counters) {
      add_saturating(sum.*counter, process.counters.*counter);
    }
    for (std::size_t slot = 0; slot < k_size_classes; ++slot) {
      sum.size_classes[slot] += process.counters.size_classes[slot];
    }
  }
  return sum;
}

std::vector<ProcessResult> process_results(const LaunchOutcome& outcome, const RecordContents& contents,
                                           const std::string& command) {
  std::vector<ProcessResult> results;
  std::map<std::int64_t, std::size_t> last_of_pid;
  for (const RecordProcess& process : contents.processes) {
    ProcessResult result;
    result.pid = process.pid;
    result.parent_pid = process.parent_pid;
    result.executable = process.executable;
    result.measures = measures_of(process.counters, contents.usable_sizes);
    if (process.exited) {
      result.end = ProcessEnd::exited;
      result.exit_code = process.exit_code;
    } else if (is_alive(process.pid)) {
      result.end = ProcessEnd::running;
    }
    const auto [before, is_first] = last_of_pid.try_emplace(process.pid, results.size());
    if (!is_first) {
      // A fork that got the pid of a dead process is a new process; anything else came by exec.
      if (!process.forked) {
        results[before->second].end = ProcessEnd::replaced;
        results[before->second].exit_code.reset();
      }
      before->second = results.size();
    }
    results.push_back(std::move(result));
  }
  for (const RecordBlindProgram& program : contents.blind_programs) {
    if (!contents.follow_children && program.pid != outcome.pid) {
      continue;
    }
    const auto [before, is_first] = last_of_pid.try_emplace(program.pid, results.size());
    if (!is_first && program.pid != 0) {
      results[before->second].end = ProcessEnd::replaced;
      results[before->second].exit_code.reset();
      before->second = results.size();
    }
    results.push_back(blind_result(program));
  }
  const auto root = last_of_pid.find(outcome.pid);
  if (root == last_of_pid.end()) {
    ProcessResult unseen;
    unseen.pid = outcome.pid;
    unseen.executable = printable(command);
    set_root_end(outcome, unseen);
    results.insert(results.begin(), std::move(unseen));
    return results;
  }
  set_root_end(outcome, results[root->second]);
  const auto first = std::find_if(results.begin(), results.end(),
                                  [&](const ProcessResult& result) { return result.pid == outcome.pid; });
  std::rotate(results.begin(), first, std::next(first));
  return results;
}

std::optional<Count> peak_error_bound(std::uint32_t threads) {
  if (threads <= 1) {
    return std::nullopt;
  }
  return static_cast<Count>(threads) * k_published_every_bytes;
}

}  // namespace allocgate
