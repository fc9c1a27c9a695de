// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/measure_workload.hpp"
#include "scripted_launcher.hpp"

#include <cstdint>
#include <utility>

namespace allocgate {

/// A workload of a program that links the adapter.
inline WorkloadInfo adapter_workload(std::uint64_t iterations = 10) {
  WorkloadInfo workload;
  workload.name = "asio/noop";
  workload.suite = "asio_suite";
  workload.program = "/bin/sh";
  workload.kind = SuiteKind::adapter;
  workload.iterations = iterations;
  return workload;
}

/// Options with files that are there in place of the installed libraries.
inline MeasureOptions options() {
  MeasureOptions options;
  options.installation.hooks = "/proc/self/exe";
  options.installation.forwarder = "/proc/self/exe";
  return options;
}

/// Plays a process in which each window reads `slope` an iteration and `setup` once.
inline void play_line(PlayedProcess& process, std::uint64_t slope, std::uint64_t setup) {
  process.image();
  for (const std::uint64_t iterations : process.asked_windows()) {
    process.window(iterations, slope * iterations + setup);
  }
}

/// Measures it with processes that play `script`.
inline WorkloadResult measure(const WorkloadInfo& workload, ScriptedLauncher::Script script,
                              const MeasureOptions& how = options()) {
  ScriptedLauncher launcher(std::move(script));
  return measure_workload(workload, how, launcher);
}

inline WorkloadResult measure(ScriptedLauncher::Script script) {
  return measure(adapter_workload(), std::move(script));
}

}  // namespace allocgate
