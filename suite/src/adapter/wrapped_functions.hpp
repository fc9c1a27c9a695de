// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "adapter/google_benchmark_versions.hpp"

#include <cstddef>
#include <memory>
#include <string>

// google-benchmark's functions behind the adapter's wrappers. A program that links the adapter passes --wrap for each
// to its linker: whoever calls the function then reaches wrapped_<name>, and real_<name> is the function itself. That
// works the same for a shared and a static libbenchmark, because the calls come from the program's own objects.
//
// What has several names, one for each Registration, has a wrapper of each. Those of other versions than this one was
// compiled with are never reached by a program that was compiled with the same, and say so to any other. A real_<name>
// of another version may be named in branches that `if constexpr` discards, and nowhere else: no library defines it.
namespace allocgate {

using Reporter = benchmark::BenchmarkReporter;

#define ALLOCGATE_STATE_FUNCTION(name, symbol)                            \
  void wrapped_##name(benchmark::State* state) __asm__("__wrap_" symbol); \
  void real_##name(benchmark::State* state) __asm__("__real_" symbol);
#include "window/state_functions.def"

#define ALLOCGATE_WRAPPED(name, symbol, result, parameters)   \
  result wrapped_##name parameters __asm__("__wrap_" symbol); \
  result real_##name parameters __asm__("__real_" symbol);
#include "adapter/wrapped_functions.def"

/// The member functions themselves, past their wrappers.
inline Family* real_min_time(Family* family, double seconds) {
  if constexpr (k_registration == Registration::public_class) {
    return real_min_time_of_public_class(family, seconds);
  } else {
    return real_min_time_of_internal_class(family, seconds);
  }
}
inline Family* real_min_warm_up_time(Family* family, double seconds) {
  if constexpr (k_registration == Registration::public_class) {
    return real_min_warm_up_time_of_public_class(family, seconds);
  } else {
    return real_min_warm_up_time_of_internal_class(family, seconds);
  }
}

}  // namespace allocgate
