// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <allocgate/benchmark.hpp>

#include <string>
#include <utility>
#include <vector>

// What workloads say of themselves, in few words. One iteration is a whole run of what the name says.
namespace allocgate::suite {

/// One thread, the same counts in every run.
inline WorkloadDescription exact(std::string core, std::string core_version, std::string exercises) {
  return {.core = std::move(core),
          .core_version = std::move(core_version),
          .exercises = std::move(exercises),
          .iterations = 1,
          .threads = 1,
          .gate = WorkloadGate::exact};
}

/// On so many threads that wait for each other, so that the counts are the same all the same.
inline WorkloadDescription in_step(WorkloadDescription row, unsigned threads) {
  row.threads = threads;
  return row;
}

/// On so many threads, which time may let allocate more: the least of all processes is judged.
inline WorkloadDescription least_of(WorkloadDescription row, unsigned threads) {
  row.threads = threads;
  row.gate = WorkloadGate::min;
  return row;
}

/// Values within a percentage of each other are the same: random numbers decide some sizes.
inline WorkloadDescription within_percent(WorkloadDescription row) {
  row.gate = WorkloadGate::percent;
  return row;
}

/// The size of a coroutine's frame, and whether there is one, is the compiler's choice.
inline WorkloadDescription by_compiler(WorkloadDescription row) {
  row.depends_on.emplace_back("compiler");
  return row;
}

/// A client and a server, and the workloads that run a part of them alone.
inline WorkloadDescription in_layers(WorkloadDescription row, std::vector<WorkloadLayer> layers) {
  row.layers = std::move(layers);
  return row;
}

}  // namespace allocgate::suite
