// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>

// google-benchmark's functions behind the adapter's wrappers. A program that links the adapter passes --wrap for each
// to its linker: whoever calls the function then reaches wrapped_<name>, and real_<name> is the function itself. That
// works the same for a shared and a static libbenchmark, because the calls come from the program's own objects.
namespace allocgate {

using Family = benchmark::internal::Benchmark;
using Reporter = benchmark::BenchmarkReporter;

#define ALLOCGATE_STATE_FUNCTION(name, symbol)                            \
  void wrapped_##name(benchmark::State* state) __asm__("__wrap_" symbol); \
  void real_##name(benchmark::State* state) __asm__("__real_" symbol);
#include "window/state_functions.def"

#define ALLOCGATE_WRAPPED(name, symbol, result, parameters)   \
  result wrapped_##name parameters __asm__("__wrap_" symbol); \
  result real_##name parameters __asm__("__real_" symbol);
#include "adapter/wrapped_functions.def"

}  // namespace allocgate
