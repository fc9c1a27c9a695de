// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// call_stacks KIND THREADS PAIRS: each thread makes PAIRS allocations of 64 bytes from stacks of the kind, and prints
// the nanoseconds of the processor that a pair took, the mean over the threads. What ci/overhead measures the recording
// of stacks with.
//   one      always the same stack, freed at once
//   sites    20 deep, one of 1000 innermost functions, freed at once
//   chains   20 deep, the 10 innermost functions others each time, freed at once
//   walks    random ways through functions that call each other, at most 12 deep, freed 100 000 allocations later
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <array>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

constexpr int k_most_threads = 64;
constexpr size_t k_block_bytes = 64;
constexpr int k_sites = 1000;
constexpr int k_chains = 100;
constexpr int k_functions = 200;
constexpr size_t k_live_blocks = 100000;

void keep(void* pointer) {
  asm volatile("" : : "r"(pointer) : "memory");
}

unsigned next_random(unsigned& state) {
  state = state * 1664525 + 1013904223;
  return state >> 8;
}

using Allocate = void* (*)();

// A number keeps functions that do the same from becoming one.
template <int Number>
[[gnu::noinline]] void* innermost() {
  void* block = malloc(k_block_bytes);
  asm volatile("" : : "r"(block), "i"(Number) : "memory");
  return block;
}

template <int Chain, int Depth>
[[gnu::noinline]] void* chain() {
  void* block = nullptr;
  if constexpr (Depth == 0) {
    block = malloc(k_block_bytes);
  } else {
    block = chain<Chain, Depth - 1>();
  }
  asm volatile("" : : "r"(block), "i"(Chain * 100 + Depth) : "memory");
  return block;
}

template <int... Numbers>
constexpr auto table_of_sites(std::integer_sequence<int, Numbers...>) {
  return std::array<Allocate, sizeof...(Numbers)>{innermost<Numbers>...};
}
template <int... Numbers>
constexpr auto table_of_chains(std::integer_sequence<int, Numbers...>) {
  return std::array<Allocate, sizeof...(Numbers)>{chain<Numbers, 9>...};
}

constexpr auto g_sites = table_of_sites(std::make_integer_sequence<int, k_sites>());
constexpr auto g_chains = table_of_chains(std::make_integer_sequence<int, k_chains>());

template <int Depth>
[[gnu::noinline]] void* descend(Allocate allocate) {
  void* block = nullptr;
  if constexpr (Depth == 0) {
    block = allocate();
  } else {
    block = descend<Depth - 1>(allocate);
  }
  keep(block);
  return block;
}

using Walk = void* (*)(unsigned& state, int depth);
extern const std::array<Walk, k_functions> g_walks;

template <int Number>
[[gnu::noinline]] void* walk(unsigned& state, int depth) {
  void* block = nullptr;
  if (depth == 0 || next_random(state) % 16 == 0) {
    block = malloc(k_block_bytes);
  } else {
    block = g_walks[(Number * 3 + next_random(state) % 3) % k_functions](state, depth - 1);
  }
  asm volatile("" : : "r"(block), "i"(Number) : "memory");
  return block;
}

template <int... Numbers>
constexpr auto table_of_walks(std::integer_sequence<int, Numbers...>) {
  return std::array<Walk, sizeof...(Numbers)>{walk<Numbers>...};
}
const std::array<Walk, k_functions> g_walks = table_of_walks(std::make_integer_sequence<int, k_functions>());

const char* g_kind = nullptr;
long g_pairs = 0;
pthread_barrier_t g_start;

void make_one() {
  for (long i = 0; i < g_pairs; ++i) {
    free(innermost<0>());
  }
}

void make_sites(unsigned state) {
  for (long i = 0; i < g_pairs; ++i) {
    free(descend<17>(g_sites[next_random(state) % k_sites]));
  }
}

void make_chains(unsigned state) {
  unsigned last = 0;
  for (long i = 0; i < g_pairs; ++i) {
    unsigned number = next_random(state) % k_chains;
    number = number == last ? (number + 1) % k_chains : number;
    last = number;
    free(descend<8>(g_chains[number]));
  }
}

void make_walks(unsigned state) {
  std::vector<void*> live(k_live_blocks, nullptr);
  for (long i = 0; i < g_pairs; ++i) {
    void*& block = live[static_cast<size_t>(i) % k_live_blocks];
    free(block);
    block = g_walks[1](state, 12);
  }
  for (void* block : live) {
    free(block);
  }
}

void* run(void* seconds) {
  const auto seed = static_cast<unsigned>(reinterpret_cast<uintptr_t>(seconds) / sizeof(double));
  pthread_barrier_wait(&g_start);
  timespec start;
  timespec end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
  if (strcmp(g_kind, "one") == 0) {
    make_one();
  } else if (strcmp(g_kind, "sites") == 0) {
    make_sites(seed);
  } else if (strcmp(g_kind, "chains") == 0) {
    make_chains(seed);
  } else {
    make_walks(seed);
  }
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  *static_cast<double*>(seconds) =
      static_cast<double>(end.tv_sec - start.tv_sec) + static_cast<double>(end.tv_nsec - start.tv_nsec) * 1e-9;
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const long threads = argc == 4 ? strtol(argv[2], nullptr, 10) : 0;
  g_pairs = argc == 4 ? strtol(argv[3], nullptr, 10) : 0;
  g_kind = argc == 4 ? argv[1] : "";
  const bool is_known = strcmp(g_kind, "one") == 0 || strcmp(g_kind, "sites") == 0 || strcmp(g_kind, "chains") == 0 ||
                        strcmp(g_kind, "walks") == 0;
  if (!is_known || threads < 1 || threads > k_most_threads || g_pairs < 1) {
    fprintf(stderr, "usage: call_stacks one|sites|chains|walks THREADS PAIRS, with 1 to %d threads\n", k_most_threads);
    return 64;
  }
  pthread_t others[k_most_threads];
  double seconds[k_most_threads] = {};
  pthread_barrier_init(&g_start, nullptr, static_cast<unsigned>(threads));
  for (long i = 1; i < threads; ++i) {
    if (pthread_create(&others[i], nullptr, run, &seconds[i]) != 0) {
      fprintf(stderr, "call_stacks: thread %ld could not be started\n", i);
      return 1;
    }
  }
  run(&seconds[0]);
  double sum = seconds[0];
  for (long i = 1; i < threads; ++i) {
    pthread_join(others[i], nullptr);
    sum += seconds[i];
  }
  printf("%.3f\n", sum * 1e9 / static_cast<double>(threads) / static_cast<double>(g_pairs));
  return 0;
}
