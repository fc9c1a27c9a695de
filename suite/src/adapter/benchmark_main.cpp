// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// google-benchmark's usual main. It is here, and not taken from libbenchmark_main, because its call of
// RunSpecifiedBenchmarks must come from an object of the program for the adapter to see it.

#include <benchmark/benchmark.h>

BENCHMARK_MAIN();
