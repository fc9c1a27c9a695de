// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Workloads that say of themselves what can be said. `parse` keeps its word: 2 allocations whatever its size is. `grow`
// does not: as many as its argument.

#include <allocgate/benchmark.hpp>

#include <cstdlib>

namespace {

void allocate(std::int64_t times, std::size_t size) {
  for (std::int64_t time = 0; time < times; ++time) {
    void* block = std::malloc(size);
    benchmark::DoNotOptimize(block);
    std::free(block);
  }
}

void parse(benchmark::State& state) {
  for ([[maybe_unused]] auto iteration : state) {
    allocate(2, static_cast<std::size_t>(state.range(0)));
  }
}
ALLOCGATE_WORKLOAD(parse, "parse",
                   {.core = "made \"up\"",
                    .core_version = "1.2",
                    .exercises = "a parser",
                    .iterations = 10,
                    .threads = 1,
                    .gate = allocgate::WorkloadGate::percent,
                    .depends_on = {"compiler", "kernel"},
                    .does_not_depend_on = "size",
                    .layers = {{"codec", "grow/2", 2}, {"core", "noop"}}})
    ->ArgName("size")
    ->Arg(1)
    ->Arg(64)
    ->Arg(4096);

void grow(benchmark::State& state) {
  for ([[maybe_unused]] auto iteration : state) {
    allocate(state.range(0), 64);
  }
}
ALLOCGATE_WORKLOAD(grow, "grow", {.does_not_depend_on = "argument 1"})->Arg(1)->Arg(2)->Arg(8);

}  // namespace
