// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/measure_workload.hpp"

#include "measure/make_sampler.hpp"
#include "measure/sample.hpp"
#include "process/blindness.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {
namespace {

/// The points of each measure, one entry a sample.
std::map<std::string, std::vector<ProcessPoints>> by_measure(const std::vector<ProcessSample>& samples) {
  std::map<std::string, std::vector<ProcessPoints>> points;
  for (const ProcessSample& sample : samples) {
    for (const auto& [name, of_process] : sample.points) {
      points[name].push_back(of_process);
    }
  }
  return points;
}

/// Whether more processes would tell more: a gated measure whose values were not the same in all of them. Advisory ones
/// follow the heap's history and would never settle.
bool differs(const std::vector<ProcessSample>& samples) {
  for (const auto& [name, processes] : by_measure(samples)) {
    const MeasureInfo* info = find_measure(name);
    if (info == nullptr || !info->gated_by_default) {
      continue;
    }
    const auto series = make_series(name, processes, samples.front().iterations);
    if (!series || series->series_class != SeriesClass::exact) {
      return true;
    }
  }
  return false;
}

void add_notes(const ProcessSample& sample, std::vector<std::string>& notes) {
  for (const std::string& note : sample.notes) {
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
      notes.push_back(note);
    }
  }
}

void summarize(const std::vector<ProcessSample>& samples, WorkloadResult& result) {
  const ProcessSample& last = samples.back();
  result.iterations = samples.front().iterations;
  result.size_classes = last.size_classes;
  result.processes = last.processes;
  add_notes(last, result.notes);
  for (const auto& [name, processes] : by_measure(samples)) {
    if (auto series = make_series(name, processes, result.iterations)) {
      result.measures[name] = std::move(*series);
    } else {
      result.notes.push_back(fmt::format("{} has no value at {} iterations", name, result.iterations));
    }
  }
  std::optional<Count> error;
  for (const ProcessSample& sample : samples) {
    if (sample.peak_error) {
      error = std::max(error.value_or(0), *sample.peak_error);
    }
  }
  if (const auto peak = result.measures.find("peak_live_bytes"); peak != result.measures.end()) {
    peak->second.error_bound = error;
  }
}

/// Samples until enough agree; the failure that ended it, if one did.
std::optional<Failure> take_samples(Sampler& sampler, const MeasureOptions& options, const std::string& name,
                                    std::vector<ProcessSample>& samples) {
  unsigned wanted = std::max(1U, options.processes);
  for (unsigned number = 1; number <= wanted; ++number) {
    if (options.progress != nullptr) {
      options.progress->process_begins(name, number, wanted);
    }
    SampleOrFailure taken = sampler.take();
    if (auto* failure = std::get_if<Failure>(&taken)) {
      return std::move(*failure);
    }
    samples.push_back(std::move(std::get<ProcessSample>(taken)));
    if (number == wanted && wanted < options.most_processes && differs(samples)) {
      ++wanted;
    }
  }
  return std::nullopt;
}

}  // namespace

WorkloadResult measure_workload(const WorkloadInfo& workload, const MeasureOptions& given, Launcher& launcher) {
  const MeasureOptions options = options_for(workload, given);
  WorkloadResult result;
  result.name = workload.name;
  result.suite = workload.suite;
  result.gate = workload.gate;
  result.depends_on = workload.depends_on;
  result.does_not_depend_on = workload.does_not_depend_on;
  result.layers = workload.layers;
  const std::unique_ptr<Sampler> sampler = make_sampler(workload, options, launcher);
  if (auto reason = reason_not_to_start(program_of(workload, options))) {
    result.command = sampler->command();
    result.status = WorkloadStatus::blind;
    result.error = std::move(*reason);
    return result;
  }
  std::vector<ProcessSample> samples;
  if (auto failure = take_samples(*sampler, options, workload.name, samples)) {
    result.status = failure->status;
    result.error = std::move(failure->error);
  } else {
    summarize(samples, result);
  }
  result.command = sampler->command();
  return result;
}

}  // namespace allocgate
