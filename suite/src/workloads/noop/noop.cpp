// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// noop: models nothing. It shows that measuring adds nothing: whatever it reads is the meter's own.
//
// counts per iteration of noop: 0 allocations, 0 bytes

#include <allocgate/benchmark.hpp>

namespace {

void noop(benchmark::State& state) {
  for ([[maybe_unused]] auto iteration : state) {
  }
}

ALLOCGATE_WORKLOAD(noop, "noop",
                   {.exercises = "nothing: the floor of the measurement",
                    .iterations = 1000,
                    .threads = 1,
                    .gate = allocgate::WorkloadGate::exact});

}  // namespace
