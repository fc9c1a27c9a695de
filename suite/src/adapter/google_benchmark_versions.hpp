// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <benchmark/benchmark.h>

#include <string>
#include <type_traits>

// Where google-benchmark 1.7.1 to 1.9.1 differ: everything that looks at its version is here, and looks at features.
namespace allocgate {

static_assert(std::is_same_v<decltype(&benchmark::internal::RegisterBenchmarkInternal),
                             benchmark::internal::Benchmark* (*)(benchmark::internal::Benchmark*)>,
              "This google-benchmark registers its cases by another function than 1.7.1 to 1.9.1, which the adapter "
              "wraps (wrapped_functions.def). Build with one of those.");

/// Why a run has no result; empty when it has one. Since 1.8 a run can also be skipped without being an error.
template <typename Run>
std::string error_of(const Run& run) {
  if constexpr (requires { run.error_message; }) {
    return run.error_occurred ? run.error_message : std::string();
  } else {
    return run.skipped != decltype(run.skipped){} ? run.skip_message : std::string();
  }
}

/// Whether the workload gave up, before or in its loop.
template <typename State>
bool gave_up(const State& state) {
  if constexpr (requires { state.skipped(); }) {
    return state.skipped();
  } else {
    return state.error_occurred();
  }
}

/// A MemoryManager whose Stop is `fill`, by whichever of google-benchmark's two names it is called. They are not marked
/// `override` because each version declares another set of them.
class AnyMemoryManager : public benchmark::MemoryManager {
public:
  virtual void Stop(Result* result) { fill(*result); }
  virtual void Stop(Result& result) { fill(result); }

protected:
  virtual void fill(Result& result) = 0;
};

}  // namespace allocgate
