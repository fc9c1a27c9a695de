// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/counted_launch.hpp"
#include "measure/measure_workload.hpp"
#include "measure/proof.hpp"
#include "measure/stack_run.hpp"
#include "model/series.hpp"
#include "model/suite.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace allocgate {

/// What one sample gave: as a rule one process with several windows.
struct ProcessSample {
  std::uint64_t iterations = 1;  // N: the count at which the sample is judged
  std::map<std::string, ProcessPoints> points;
  SizeClasses size_classes{};       // of the window of N iterations
  std::optional<Count> peak_error;  // peak_live_bytes is right to within this many bytes
  std::vector<ProcessResult> processes;
  std::vector<std::string> notes;
};

using SampleOrFailure = std::variant<ProcessSample, Failure>;

/// Takes samples of one workload, each in fresh processes. What it learned from the first one (the iteration count, the
/// length of the ramp) it keeps for the others, so that all are alike. One thread.
class Sampler {
public:
  virtual ~Sampler() = default;
  virtual SampleOrFailure take() = 0;
  /// Runs it with its call stacks recorded: of the window that a sample is judged by, or of the whole life where loops
  /// cannot be seen.
  virtual StackRun record(const StackCapture& capture) = 0;
  /// The command line of a process, for people: what `run NAME --no-hooks` starts.
  [[nodiscard]] virtual std::vector<std::string> command() const = 0;
};

std::unique_ptr<Sampler> make_adapter_sampler(const WorkloadInfo&, const MeasureOptions&, Launcher&);
std::unique_ptr<Sampler> make_forwarded_sampler(const WorkloadInfo&, const MeasureOptions&, Launcher&);
std::unique_ptr<Sampler> make_opaque_sampler(const WorkloadInfo&, const MeasureOptions&, Launcher&);
std::unique_ptr<Sampler> make_command_sampler(const WorkloadInfo&, const MeasureOptions&, Launcher&);

/// Adds the measures of `window` to the points of `sample`.
void add_window(ProcessSample& sample, const RecordWindow& window, const RecordContents& contents);

/// The whole processes of a run as one point at `iterations`, with its processes and notes.
void add_totals(ProcessSample& sample, std::uint64_t iterations, const CountedLaunch& launch,
                const std::string& program);

/// Adds a program's own counters at `iterations`: whole numbers become measures, the others are named in a note.
void add_counters(ProcessSample& sample, std::uint64_t iterations, const std::map<std::string, double>& counters);

/// Why the windows of a run cannot be used, or the proof that its record is whole; `texts` are the errors that the
/// program wrote beside its windows, in their order.
std::optional<Failure> failure_of_windows(const CountedLaunch& launch, const MeasureOptions& options,
                                          const std::filesystem::path& program, const std::vector<SuiteWindow>& texts);

/// The processes and notes of a run.
void add_processes(ProcessSample& sample, const CountedLaunch& launch, const std::string& program);

}  // namespace allocgate
