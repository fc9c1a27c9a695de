// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <benchmark/benchmark.h>
#include <allocgate/benchmark.hpp>

#include <memory>
#include <string>
#include <type_traits>

namespace benchmark {
// The class's place since 1.9.5. Older versions have none of this name, which then stays without a definition.
class Benchmark;
}  // namespace benchmark

// Where google-benchmark 1.7.1 to 1.9.5 and later differ: everything that looks at its version is here, and looks at
// features.
namespace allocgate {

/// A registered family of cases, in whichever namespace google-benchmark has its class.
using Family = RegisteredBenchmark;

/// How RegisterBenchmarkInternal takes a family, and with it which names the linker knows.
enum class Registration {
  raw_pointer,     // to 1.9.1
  owning_pointer,  // from 1.9.2
  public_class,    // from 1.9.5: owning, and the class is no longer in benchmark::internal
  unknown,
};

constexpr Registration registration_by(Family* (*)(Family*)) {
  return Registration::raw_pointer;
}
constexpr Registration registration_by(Family* (*)(std::unique_ptr<Family>)) {
  return std::is_same_v<Family, benchmark::Benchmark> ? Registration::public_class : Registration::owning_pointer;
}
constexpr Registration registration_by(...) {
  return Registration::unknown;
}

inline constexpr Registration k_registration =
    registration_by(decltype(&benchmark::internal::RegisterBenchmarkInternal){});
static_assert(k_registration != Registration::unknown,
              "This google-benchmark registers its cases by a function that the adapter does not know; it knows those "
              "of 1.7.1 to 1.9.5. Add its mangled name to wrapped_functions.def and its form to Registration.");

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
