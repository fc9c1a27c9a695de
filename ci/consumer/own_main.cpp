// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors

// A program with a main of its own.

#include <benchmark/benchmark.h>

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
