// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// A project's own benchmark: two allocations an iteration, three where PLANTED is defined.
#include <benchmark/benchmark.h>

#include <memory>

namespace {

void answer(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(std::make_unique<int>(1));
    benchmark::DoNotOptimize(std::make_unique<int>(2));
#ifdef PLANTED
    benchmark::DoNotOptimize(std::make_unique<int>(3));
#endif
  }
}
BENCHMARK(answer);

}  // namespace

BENCHMARK_MAIN();
