// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/measure.hpp"
#include "model/testbed.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// How the values of one series (workload x measure) agreed over the processes.
enum class SeriesClass { exact, stable, noisy };

/// What a workload's author declares about its counts: exact, within a percentage, judged by the minimum, not gated.
enum class Gate { exact, percent, min, none };

/// One value and in how many processes it was seen.
struct Sample {
  Count value = 0;
  std::uint64_t times = 0;
};

/// An exact ratio: `count` events over `iterations` iterations, in lowest terms.
struct Slope {
  Count count = 0;
  std::uint64_t iterations = 1;
};

/// One measure of one workload. `min`, `median`, `max` and the samples are values at the workload's `iterations`.
/// When the points of every process lie on one line, `linear` is true and value = slope x iterations + setup.
struct Series {
  std::string unit;
  Better better = Better::lower;
  SeriesClass series_class = SeriesClass::exact;
  std::vector<Sample> samples;  // ascending by value, one value a process
  Count min = 0;
  Count median = 0;  // the lower median: always a value that was seen
  Count max = 0;
  /// For what differs from run to run, as times do: the 90th percentile. The 0th and 50th are `min` and `median`.
  std::optional<Count> p90;
  /// When the whole measurement was repeated: the greatest of its medians minus the least.
  std::optional<Count> repeat_spread;
  std::optional<bool> linear;  // absent where there is one point only (a command under stat)
  std::optional<Slope> slope;
  std::optional<Count> setup;
  /// Growth seen over the windows, for live_allocations only: what `leak` is decided from.
  std::optional<Count> growth;
  /// For peak_live_bytes with several threads: the value is right to within this many bytes.
  std::optional<Count> error_bound;
};

enum class WorkloadStatus { ok, failed, blind, timeout };
enum class ProcessEnd { exited, signalled, replaced, running };

/// Requests by size, in the slots of the hook record: slot i counts sizes n with i = bit_width(2n - 1) - 1, so slots
/// 0, 1, 2, 3 ... hold sizes 1, 2, 3-4, 5-8 ..., and the last slot, which no real size reaches, those of 0 bytes.
constexpr std::size_t k_size_classes = 64;
using SizeClasses = std::array<std::uint64_t, k_size_classes>;

/// The slot of a requested size.
int size_class_of(std::uint64_t size);

/// The sizes of slot `index`, for people and for files: "1", "2", "3-4", ..., "1025-2048"; "0" for the last slot.
std::string size_class_label(std::size_t index);

/// The slot at `position` in ascending order of sizes: the slot of 0 bytes first.
std::size_t size_class_at(std::size_t position);

/// One image of the last sample: a process between two execs.
struct ProcessResult {
  std::int64_t pid = 0;
  std::int64_t parent_pid = 0;
  std::string executable;
  std::optional<ProcessEnd> end;
  std::optional<int> exit_code;
  std::map<std::string, Count> measures;
};

/// A workload that runs a part of another one alone, and how many times of it the other one runs.
struct WorkloadLayer {
  std::string layer;  // "codec", "core"
  std::string workload;
  std::uint64_t times = 1;

  friend bool operator==(const WorkloadLayer&, const WorkloadLayer&) = default;
};

struct WorkloadResult {
  std::string name;
  std::string suite;
  std::vector<std::string> command;
  std::uint64_t iterations = 1;
  std::optional<Gate> gate;
  std::vector<std::string> depends_on;
  std::vector<std::string> does_not_depend_on;  // [MEASURE:]ARGUMENT, as model/argument_rule.hpp says
  std::vector<WorkloadLayer> layers;            // of a whole stack
  std::vector<std::string> notes;               // what a reader must know, one sentence each
  WorkloadStatus status = WorkloadStatus::ok;
  std::string error;  // why it is not ok; empty when it is
  std::map<std::string, Series> measures;
  SizeClasses size_classes{};
  std::vector<ProcessResult> processes;
};

struct Source {
  std::string commit;
  std::string branch;
  bool dirty = false;
};

/// A whole measurement; the schema allocgate.result/1 is this struct.
struct Result {
  std::string allocgate_version;
  Testbed testbed;
  std::optional<Source> source;
  std::string started_at;  // RFC 3339, UTC
  std::int64_t duration_ns = 0;
  std::vector<WorkloadResult> workloads;
};

/// The workloads of `result` by suite and name, which is how files and reports list them. Valid while `result` is.
std::vector<const WorkloadResult*> sorted_workloads(const Result& result);

}  // namespace allocgate
