// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <benchmark/benchmark.h>

// The loop of a workload. What stands before it is outside the window: servers, keys, contexts, input.
namespace allocgate::suite {

/// Runs `run_once` as the body of the loop. It answers with what went wrong, a literal, or null when nothing did; the
/// first failure ends the loop and is the workload's.
template <typename RunOnce>
void measure(benchmark::State& state, RunOnce run_once) {
  for ([[maybe_unused]] auto iteration : state) {
    if (const char* failure = run_once()) {
      state.SkipWithError(failure);
      break;
    }
  }
}

/// The same after one run outside the window, in which happens what happens once: tables that grow to their size, lazy
/// globals, a server's first connection.
template <typename RunOnce>
void measure_after_first_use(benchmark::State& state, RunOnce run_once) {
  if (const char* failure = run_once()) {
    state.SkipWithError(failure);
  }
  measure(state, run_once);
}

}  // namespace allocgate::suite
