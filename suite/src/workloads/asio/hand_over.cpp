// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// asio/execute_hop_10000_tasks: a thread posts 10 000 functions to a loop that runs in another one. It models work that
// is handed over to a network thread. Each is one allocation, made in the posting thread, which has no block to reuse:
// blocks are kept by the thread that runs the loop.
//
// asio/submit_10000_tasks: 10 000 tasks with a result are posted from inside the loop. Each is three allocations: the
// state that task and future share, the result in it, and the posted function.
//
// counts per iteration of asio/submit_10000_tasks: 30 002 allocations, 1 520 320 bytes (asio 1.22.1)
// counts per iteration of asio/execute_hop_10000_tasks: 10 000 to 10 010 allocations (asio 1.22.1)
// not exact: two threads; what the thread that ran the loop keeps for later is a matter of time

#include "workloads/asio/asio_description.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/packaged_task.hpp>
#include <asio/post.hpp>

#include <atomic>
#include <future>
#include <thread>
#include <utility>

namespace {

using namespace allocgate::suite;

constexpr int k_tasks = 10000;

void hop(benchmark::State& state) {
  asio::io_context context{1};
  measure_after_first_use(state, [&]() -> const char* {
    std::atomic<int> ran = 0;
    auto work = asio::make_work_guard(context);
    context.restart();
    std::thread thread([&] { context.run(); });
    for (int task = 0; task < k_tasks; ++task) {
      asio::post(context, [&ran] { ++ran; });
    }
    work.reset();
    thread.join();
    return ran == k_tasks ? nullptr : "not every function ran";
  });
}

const char* run_submissions() {
  int ran = 0;
  int ready = 0;
  asio::io_context context{1};
  asio::post(context, [&] {
    for (int task = 0; task < k_tasks; ++task) {
      const std::future<int> result = asio::post(context, std::packaged_task<int()>([&ran] { return ++ran; }));
      ready += result.valid() ? 1 : 0;
    }
  });
  context.run();
  return ran == k_tasks && ready == k_tasks ? nullptr : "not every task ran";
}

void submit(benchmark::State& state) {
  measure(state, run_submissions);
}

ALLOCGATE_WORKLOAD(hop, "asio/execute_hop_10000_tasks",
                   (least_of(asio_row("the run queue: 10 000 functions from another thread"), 2)));
ALLOCGATE_WORKLOAD(submit, "asio/submit_10000_tasks",
                   (asio_row("the run queue: 10 000 tasks with a future, against functions")));

}  // namespace
