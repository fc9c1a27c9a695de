// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// A benchmark program at several moments of its life: the same two workloads, changed as `k_moment` says. Each moment
// is a program of the same name in a folder of its own, as one that was built again after a change.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <string_view>
#include <vector>

extern "C" const char* const gate_moment;

namespace {

const std::string_view k_moment = gate_moment;

void allocate(std::size_t size) {
  std::string block(size, 'x');
  benchmark::DoNotOptimize(block.data());
}

// Three allocations a request as it was; one more or one fewer after a change.
void answer_request(benchmark::State& state) {
  std::vector<std::string*> kept;
  kept.reserve(1'000'000);
  for (auto iteration : state) {
    if (k_moment == "blind") {
      continue;
    }
    allocate(100);
    allocate(200);
    if (k_moment != "fewer") {
      allocate(300);
    }
    if (k_moment == "planted") {
      allocate(24);
    }
    if (k_moment == "leaking") {
      kept.push_back(new std::string(40, 'x'));
      benchmark::DoNotOptimize(kept.back());
    }
  }
}

void parse(benchmark::State& state) {
  for (auto iteration : state) {
    if (k_moment == "crashing") {
      std::raise(SIGSEGV);
    }
    if (k_moment == "hanging") {
      pause();
    }
    allocate(50);
  }
}

BENCHMARK(answer_request);

}  // namespace

int main(int argc, char** argv) {
  if (k_moment != "vanished") {
    benchmark::RegisterBenchmark("parse", parse);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
