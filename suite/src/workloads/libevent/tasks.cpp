// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// libevent/schedule_10000_tasks: 10 000 timers are set an hour ahead and given up. A timer is one allocation; the rest
// is the base, its heap of timers and our list of them. libevent/scheduling_10000_executions: 10 000 functions that run
// once; an event each.
//
// An iteration is everything, the event base too.
//
// counts per iteration of libevent/schedule_10000_tasks: 10 032 allocations, 1 805 360 bytes (libevent 2.1.12)
// counts per iteration of libevent/scheduling_10000_executions: 10 005 allocations, 1 601 144 bytes (libevent 2.1.12)

#include "workloads/common/measure.hpp"
#include "workloads/libevent/event_base.hpp"
#include "workloads/libevent/libevent_description.hpp"

#include <allocgate/benchmark.hpp>

#include <vector>

namespace {

using namespace allocgate::suite;

constexpr unsigned k_tasks = 10000;

void count(evutil_socket_t /*none*/, short /*what*/, void* counter) {
  ++*static_cast<unsigned*>(counter);
}

const char* schedule_and_give_up() {
  constexpr timeval k_far_ahead = {3600, 0};
  unsigned ran = 0;
  const EventBase base = make_event_base();
  std::vector<event*> timers;
  for (unsigned task = 0; task < k_tasks; ++task) {
    timers.push_back(evtimer_new(base.get(), count, &ran));
    evtimer_add(timers.back(), &k_far_ahead);
  }
  event_base_loop(base.get(), EVLOOP_NONBLOCK);
  for (event* timer : timers) {
    event_free(timer);
  }
  return ran == 0 ? nullptr : "a task ran an hour early";
}

const char* run_once_each() {
  unsigned ran = 0;
  const EventBase base = make_event_base();
  for (unsigned task = 0; task < k_tasks; ++task) {
    event_base_once(base.get(), -1, EV_TIMEOUT, count, &ran, nullptr);
  }
  event_base_dispatch(base.get());
  return ran == k_tasks ? nullptr : "not every function ran";
}

void give_up(benchmark::State& state) {
  measure_after_first_use(state, schedule_and_give_up);
}

void executions(benchmark::State& state) {
  measure_after_first_use(state, run_once_each);
}

ALLOCGATE_WORKLOAD(give_up, "libevent/schedule_10000_tasks",
                   (libevent_row("timers: 10 000 set an hour ahead and given up")));
ALLOCGATE_WORKLOAD(executions, "libevent/scheduling_10000_executions",
                   (libevent_row("the run queue: 10 000 functions posted in one burst")));

}  // namespace
