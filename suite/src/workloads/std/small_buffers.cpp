// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// std/1000_functions/SIZE: 1000 times a callable of SIZE bytes is put into a std::function, called and dropped.
// std/1000_anys/SIZE: the same with a value in a std::any. libstdc++ keeps 16 bytes in a function and 8 in an any;
// what is larger is an allocation. Event loops that take functions are as expensive as that.
//
// counts per iteration of std/1000_functions/8: 0 allocations, 0 bytes (std 12)
// counts per iteration of std/1000_functions/16: 0 allocations, 0 bytes (std 12)
// counts per iteration of std/1000_functions/24: 1 000 allocations, 24 000 bytes (std 12)
// counts per iteration of std/1000_functions/32: 1 000 allocations, 32 000 bytes (std 12)
// counts per iteration of std/1000_functions/64: 1 000 allocations, 64 000 bytes (std 12)
// counts per iteration of std/1000_anys/8: 0 allocations, 0 bytes (std 12)
// counts per iteration of std/1000_anys/16: 1 000 allocations, 16 000 bytes (std 12)
// counts per iteration of std/1000_anys/24: 1 000 allocations, 24 000 bytes (std 12)
// counts per iteration of std/1000_anys/32: 1 000 allocations, 32 000 bytes (std 12)
// counts per iteration of std/1000_anys/64: 1 000 allocations, 64 000 bytes (std 12)

#include "workloads/common/measure.hpp"
#include "workloads/std/std_description.hpp"

#include <allocgate/benchmark.hpp>

#include <any>
#include <array>
#include <functional>

namespace {

using namespace allocgate::suite;

constexpr int k_times = 1000;

template <std::size_t Size>
struct Callable {
  std::array<char, Size> data{};
  int operator()() const { return data.back() + 1; }
};

template <std::size_t Size>
const char* call_functions() {
  int called = 0;
  for (int time = 0; time < k_times; ++time) {
    std::function<int()> function = Callable<Size>();
    benchmark::DoNotOptimize(function);
    called += function();
  }
  return called == k_times ? nullptr : "a function was not called";
}

template <std::size_t Size>
const char* hold_anys() {
  int held = 0;
  for (int time = 0; time < k_times; ++time) {
    std::any any = Callable<Size>();
    benchmark::DoNotOptimize(any);
    held += std::any_cast<const Callable<Size>&>(any)();
  }
  return held == k_times ? nullptr : "a value was not held";
}

// Calls `with_size` with the size of the case as a constant.
template <typename WithSize>
const char* choose_size(std::int64_t size, WithSize with_size) {
  switch (size) {
    case 8:
      return with_size(std::integral_constant<std::size_t, 8>());
    case 16:
      return with_size(std::integral_constant<std::size_t, 16>());
    case 24:
      return with_size(std::integral_constant<std::size_t, 24>());
    case 32:
      return with_size(std::integral_constant<std::size_t, 32>());
    case 64:
      return with_size(std::integral_constant<std::size_t, 64>());
    default:
      return "no callable has this size";
  }
}

void functions(benchmark::State& state) {
  const std::int64_t size = state.range(0);
  measure(state, [&] {
    return choose_size(size, []<std::size_t Size>(std::integral_constant<std::size_t, Size> /*size*/) {
      return call_functions<Size>();
    });
  });
}

void anys(benchmark::State& state) {
  const std::int64_t size = state.range(0);
  measure(state, [&] {
    return choose_size(
        size, []<std::size_t Size>(std::integral_constant<std::size_t, Size> /*size*/) { return hold_anys<Size>(); });
  });
}

ALLOCGATE_WORKLOAD(functions, "std/1000_functions",
                   (std_row("std::function around its small buffer: callables of SIZE bytes")))
    ->Arg(8)
    ->Arg(16)
    ->Arg(24)
    ->Arg(32)
    ->Arg(64);
ALLOCGATE_WORKLOAD(anys, "std/1000_anys", (std_row("std::any around its small buffer: values of SIZE bytes")))
    ->Arg(8)
    ->Arg(16)
    ->Arg(24)
    ->Arg(32)
    ->Arg(64);

}  // namespace
