// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// uv/schedule_10000_tasks: 10 000 timers are set an hour ahead and given up. A timer is the caller's memory, one
// allocation each here; libuv keeps them in a heap of pointers inside them. The rest is our list of them. The loop
// is made before the window: it has a table by descriptor number, whose size depends on what a process inherits.
// uv/schedule_and_run_10000_tasks: the same timers set for now, and run.
//
// uv/queue_work_10000_tasks: 10 000 tasks for libuv's thread pool, each with its request, which is the caller's. The
// pool has one thread, made before the window.
//
// counts per iteration of uv/schedule_10000_tasks: 10 015 allocations, 1 782 136 bytes (uv 1.44.2)
// counts per iteration of uv/schedule_and_run_10000_tasks: 10 000 allocations, 1 520 000 bytes (uv 1.44.2)
// counts per iteration of uv/queue_work_10000_tasks: 10 000 to 10 010 allocations (uv 1.44.2)
// not exact: two threads; the loop may look before or after the pool's thread is done

#include "workloads/common/measure.hpp"
#include "workloads/uv/loop.hpp"
#include "workloads/uv/uv_description.hpp"

#include <allocgate/benchmark.hpp>

#include <cstdlib>
#include <vector>

namespace {

using namespace allocgate::suite;

constexpr unsigned k_tasks = 10000;

void release(uv_handle_t* timer) {
  delete reinterpret_cast<uv_timer_t*>(timer);
}

const char* schedule_and_give_up(UvLoop& loop) {
  constexpr std::uint64_t k_far_ahead_ms = 3600000;
  unsigned ran = 0;
  std::vector<uv_timer_t*> timers;
  for (unsigned task = 0; task < k_tasks; ++task) {
    auto* timer = new uv_timer_t{};
    uv_timer_init(loop.get(), timer);
    timer->data = &ran;
    uv_timer_start(
        timer, [](uv_timer_t* fired) { ++*static_cast<unsigned*>(fired->data); }, k_far_ahead_ms, 0);
    timers.push_back(timer);
  }
  for (uv_timer_t* timer : timers) {
    uv_close(reinterpret_cast<uv_handle_t*>(timer), release);
  }
  loop.run();
  return ran == 0 ? nullptr : "a task ran an hour early";
}

const char* schedule_and_run(UvLoop& loop) {
  unsigned ran = 0;
  for (unsigned task = 0; task < k_tasks; ++task) {
    auto* timer = new uv_timer_t{};
    uv_timer_init(loop.get(), timer);
    timer->data = &ran;
    uv_timer_start(
        timer,
        [](uv_timer_t* fired) {
          ++*static_cast<unsigned*>(fired->data);
          uv_close(reinterpret_cast<uv_handle_t*>(fired), release);
        },
        0, 0);
  }
  loop.run();
  return ran == k_tasks ? nullptr : "not every task ran";
}

const char* queue_work(UvLoop& loop) {
  unsigned done = 0;
  for (unsigned task = 0; task < k_tasks; ++task) {
    auto* work = new uv_work_t{};
    work->data = &done;
    uv_queue_work(
        loop.get(), work, [](uv_work_t* /*running*/) {},
        [](uv_work_t* ended, int status) {
          *static_cast<unsigned*>(ended->data) += status == 0 ? 1 : 0;
          delete ended;
        });
  }
  loop.run();
  return done == k_tasks ? nullptr : "not every task ran";
}

void give_up(benchmark::State& state) {
  UvLoop loop;
  measure_after_first_use(state, [&] { return schedule_and_give_up(loop); });
}

void run_all(benchmark::State& state) {
  UvLoop loop;
  measure_after_first_use(state, [&] { return schedule_and_run(loop); });
}

void pool(benchmark::State& state) {
  setenv("UV_THREADPOOL_SIZE", "1", 1);
  UvLoop loop;
  measure_after_first_use(state, [&] { return queue_work(loop); });
}

ALLOCGATE_WORKLOAD(give_up, "uv/schedule_10000_tasks", (uv_row("timers: 10 000 set an hour ahead and given up")));
ALLOCGATE_WORKLOAD(run_all, "uv/schedule_and_run_10000_tasks", (uv_row("timers: 10 000 set for now, and run")));
ALLOCGATE_WORKLOAD(pool, "uv/queue_work_10000_tasks",
                   (least_of(uv_row("the thread pool: 10 000 tasks, one thread"), 2)));

}  // namespace
