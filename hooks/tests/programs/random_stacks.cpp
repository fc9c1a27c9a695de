// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// random_stacks ROUNDS: allocates from random stacks, made of what makes unwinding hard, on several threads and on
// coroutines. The hooks of the test compare each of them with libunwind.
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <thread>
#include <vector>

#include "random_stacks.hpp"

namespace {

constexpr int k_coroutines = 4;
constexpr size_t k_stack = size_t{1} << 20;

ucontext_t g_scheduler;
ucontext_t g_coroutines[k_coroutines];

void run_coroutine(int self) {
  for (;;) {
    go_on(3);
    swapcontext(&g_coroutines[self], &g_scheduler);
    allocate();
  }
}

void prepare(int self, void* stack) {
  ucontext_t& context = g_coroutines[self];
  getcontext(&context);
  context.uc_stack = {};
  context.uc_stack.ss_sp = stack;
  context.uc_stack.ss_size = k_stack;
  makecontext(&context, reinterpret_cast<void (*)()>(run_coroutine), 1, self);
}

void run_coroutines(int rounds) {
  std::vector<void*> stacks;
  for (int i = 0; i < k_coroutines; ++i) {
    // One kind lies among the blocks of the heap, the other alone.
    void* stack = i % 2 == 0 ? mmap(nullptr, k_stack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                             : malloc(k_stack);
    prepare(i, stack);
    stacks.push_back(stack);
  }
  for (int round = 0; round < rounds; ++round) {
    swapcontext(&g_scheduler, &g_coroutines[random_below(k_coroutines)]);
    allocate();
  }
  for (int i = 0; i < k_coroutines; ++i) {
    i % 2 == 0 ? static_cast<void>(munmap(stacks[static_cast<size_t>(i)], k_stack))
               : free(stacks[static_cast<size_t>(i)]);
  }
}

long go_deep(int depth) {
  if (depth % 5000 == 0) {
    allocate();
  }
  long sum = depth != 0 ? go_deep(depth - 1) : 0;
  if (depth % 10000 == 0) {
    allocate();
  }
  hide(&sum);
  return sum + 1;
}

void work(uint64_t seed, int rounds) {
  seed_random(seed);
  for (int i = 0; i < rounds; ++i) {
    try {
      go_on(2 + static_cast<int>(random_below(14)));
    } catch (...) {
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1000;
  static char signal_stack[size_t{1} << 20];
  stack_t alternate = {};
  alternate.ss_sp = signal_stack;
  alternate.ss_size = sizeof(signal_stack);
  sigaltstack(&alternate, nullptr);
  take_signals();
  work(1234567, rounds);
  run_coroutines(rounds / 10);
  run_coroutines(rounds / 10);
  if (go_deep(50000) != 50001) {
    abort();
  }
  std::vector<std::thread> threads;
  for (uint64_t i = 1; i <= 3; ++i) {
    threads.emplace_back([=] { work(99991 * i, rounds / 4); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (uint64_t i = 0; i < 50; ++i) {
    std::thread([=] { work(i + 7, 3); }).join();
  }
  return 0;
}
