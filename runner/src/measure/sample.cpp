// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/sample.hpp"

#include "measure/process_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace allocgate {
namespace {

/// The whole number that `value` is, within the range in which doubles hold every whole number.
std::optional<Count> whole(double value) {
  constexpr double k_exact_limit = 9007199254740992.0;  // 2^53
  if (!std::isfinite(value) || std::trunc(value) != value || std::abs(value) > k_exact_limit) {
    return std::nullopt;
  }
  return static_cast<Count>(value);
}

void add_note(ProcessSample& sample, std::string note) {
  if (std::find(sample.notes.begin(), sample.notes.end(), note) == sample.notes.end()) {
    sample.notes.push_back(std::move(note));
  }
}

void widen(std::optional<Count>& error, std::optional<Count> another) {
  if (another) {
    error = std::max(error.value_or(0), *another);
  }
}

}  // namespace

void add_window(ProcessSample& sample, const RecordWindow& window, const RecordContents& contents) {
  for (const auto& [name, value] : measures_of(window.counters, contents.usable_sizes)) {
    sample.points[name].push_back({window.iterations, value});
  }
  if (window.open_fds) {
    sample.points["open_fds"].push_back({window.iterations, *window.open_fds});
  }
  if (!window.peak_is_exact) {
    widen(sample.peak_error, peak_error_bound(contents.processes[window.process].threads));
  }
}

void add_processes(ProcessSample& sample, const CountedLaunch& launch, const std::string& program) {
  sample.processes = process_results(launch.outcome(), launch.contents(), program);
  for (std::string& note : process_notes(launch.outcome(), launch.contents())) {
    add_note(sample, std::move(note));
  }
}

void add_totals(ProcessSample& sample, std::uint64_t iterations, const CountedLaunch& launch,
                const std::string& program) {
  const RecordContents& contents = launch.contents();
  const RecordCounters sum = sum_of(contents.processes);
  for (const auto& [name, value] : measures_of(sum, contents.usable_sizes)) {
    sample.points[name].push_back({iterations, value});
  }
  if (iterations == sample.iterations) {
    sample.size_classes = sum.size_classes;
  }
  for (const RecordProcess& process : contents.processes) {
    if (process.several_threads) {
      widen(sample.peak_error, peak_error_bound(process.threads));
    }
  }
  if (contents.usable_sizes && contents.processes.size() > 1) {
    add_note(sample, "peak_live_bytes is the sum of each process's own peak");
  }
  add_processes(sample, launch, program);
}

void add_counters(ProcessSample& sample, std::uint64_t iterations, const std::map<std::string, double>& counters) {
  for (const auto& [name, value] : counters) {
    if (find_measure(name) != nullptr) {
      add_note(sample, fmt::format("the program's counter {} has the name of a measure and is not shown", name));
    } else if (const auto count = whole(value)) {
      sample.points[name].push_back({iterations, *count});
    } else {
      add_note(sample, fmt::format("the program's counter {} is not a whole number and is not shown", name));
    }
  }
}

std::optional<Failure> failure_of_windows(const CountedLaunch& launch, const MeasureOptions& options,
                                          const std::filesystem::path& program, const std::vector<SuiteWindow>& texts) {
  // What a workload said of itself explains a bad end better than the exit code does.
  const auto& windows = launch.contents().windows;
  for (std::size_t index = 0; index < std::max(texts.size(), windows.size()); ++index) {
    const bool has_text = index < texts.size() && !texts[index].error.empty();
    if (has_text) {
      return Failure{WorkloadStatus::failed, fmt::format("the workload reports: {}", texts[index].error)};
    }
    if (index < windows.size() && windows[index].failed) {
      return Failure{WorkloadStatus::failed, "the workload reports an error without a text"};
    }
    if (index < windows.size() && windows[index].not_drained) {
      return Failure{WorkloadStatus::failed,
                     fmt::format("other threads were still allocating 5 s after the loop of {} iterations ended, so "
                                 "its counts are not whole",
                                 windows[index].iterations)};
    }
  }
  if (auto failure = failure_of_end(launch.outcome(), options.timeout)) {
    return failure;
  }
  if (auto failure = failure_of_proof(launch.outcome(), launch.contents(), program)) {
    return failure;
  }
  const auto& processes = launch.contents().processes;
  if (std::any_of(processes.begin(), processes.end(), [](const auto& process) { return process.windows_lost; })) {
    return Failure{WorkloadStatus::failed, "it ran more windows than the record has room for"};
  }
  return std::nullopt;
}

}  // namespace allocgate
