// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors

// One workload, two allocations of known size an iteration, and a third where it is planted: 3 allocations before the
// loop must not be seen.

#include <benchmark/benchmark.h>

#include <memory>

namespace {

void two_blocks(benchmark::State& state) {
  auto outside = std::make_unique<std::unique_ptr<int>[]>(2);
  outside[0] = std::make_unique<int>(1);
  outside[1] = std::make_unique<int>(2);
  for (auto _ : state) {
    auto small = std::make_unique<char[]>(100);
    auto large = std::make_unique<char[]>(1000);
    benchmark::DoNotOptimize(small.get());
    benchmark::DoNotOptimize(large.get());
#if PLANTED
    auto planted = std::make_unique<char[]>(8);
    benchmark::DoNotOptimize(planted.get());
#endif
  }
}
BENCHMARK(two_blocks);

}  // namespace
