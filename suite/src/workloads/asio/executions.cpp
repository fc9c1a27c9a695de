// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// asio/scheduling_10000_executions: 10 000 functions are posted to the loop from inside the loop, and run. It models
// work that is handed to an event loop in bursts. Each posted function is one allocation, because a burst is more than
// the two blocks that Asio keeps for a thread; the other two are io_context's.
//
// asio/execute_10000_in_sequence: each function posts the next one. The block of the one that ran is there again for
// the next. Where functions bring an allocator of their own Asio does not recycle, and each is an allocation.
//
// An iteration is everything: io_context, one io_context::run() and the functions in it.
//
// counts per iteration of asio/scheduling_10000_executions: 10 002 allocations, 480 336 bytes (asio 1.22.1)
// counts per iteration of asio/execute_10000_in_sequence: 3 allocations, 384 bytes (asio 1.22.1)
// counts per iteration of asio/execute_10000_in_sequence/no_recycling: 10 002 allocations, 480 320 bytes (asio 1.22.1)

#include "workloads/asio/asio_description.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <asio/io_context.hpp>
#include <asio/post.hpp>

#include <cstddef>
#include <new>

namespace {

using allocgate::suite::asio_row;

constexpr int k_executions = 10000;

// Passes everything on to operator new: what is bound to it is not recycled.
template <typename Type>
struct PlainAllocator {
  using value_type = Type;

  PlainAllocator() = default;
  template <typename Other>
  explicit PlainAllocator(const PlainAllocator<Other>& /*other*/) {}

  Type* allocate(std::size_t count) { return static_cast<Type*>(::operator new(count * sizeof(Type))); }
  void deallocate(Type* memory, std::size_t /*count*/) { ::operator delete(memory); }
  template <typename Other>
  bool operator==(const PlainAllocator<Other>& /*other*/) const {
    return true;
  }
};

// Posts itself until it ran often enough.
struct Chained {
  asio::io_context& context;
  int& ran;

  void operator()() const {
    if (++ran < k_executions) {
      asio::post(context, Chained{context, ran});
    }
  }
};

struct NotRecycled : Chained {
  using allocator_type = PlainAllocator<void>;

  [[nodiscard]] allocator_type get_allocator() const { return {}; }
  void operator()() const {
    if (++ran < k_executions) {
      asio::post(context, NotRecycled{{context, ran}});
    }
  }
};

template <typename Function>
const char* run_chain(Function first, asio::io_context& context, const int& ran) {
  asio::post(context, first);
  context.run();
  return ran == k_executions ? nullptr : "not every function ran";
}

const char* run_sequence() {
  int ran = 0;
  asio::io_context context{1};
  return run_chain(Chained{context, ran}, context, ran);
}

const char* run_not_recycled() {
  int ran = 0;
  asio::io_context context{1};
  return run_chain(NotRecycled{{context, ran}}, context, ran);
}

const char* run_burst() {
  int ran = 0;
  asio::io_context context{1};
  asio::post(context, [&] {
    for (int execution = 0; execution < k_executions; ++execution) {
      asio::post(context, [&ran] { ++ran; });
    }
  });
  context.run();
  return ran == k_executions ? nullptr : "not every function ran";
}

void in_burst(benchmark::State& state) {
  allocgate::suite::measure(state, run_burst);
}

void in_sequence(benchmark::State& state) {
  allocgate::suite::measure(state, run_sequence);
}

void not_recycled(benchmark::State& state) {
  allocgate::suite::measure(state, run_not_recycled);
}

ALLOCGATE_WORKLOAD(in_burst, "asio/scheduling_10000_executions",
                   (asio_row("the run queue: 10 000 functions posted in one burst")));
ALLOCGATE_WORKLOAD(in_sequence, "asio/execute_10000_in_sequence",
                   (asio_row("the run queue: each of 10 000 functions posts the next, against a burst")));
ALLOCGATE_WORKLOAD(not_recycled, "asio/execute_10000_in_sequence/no_recycling",
                   (asio_row("the same with handler recycling off: what the recycling hides")));

}  // namespace
