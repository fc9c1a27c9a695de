// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// boost_thread/future_lots_of_callbacks: a promise, its future with four continuations one after another, and the
// value, 1000 times, all in one thread. A future is its shared state; a continuation is another with the function in
// it, and what its pointer to the one before takes.
//
// when_all is not here: Boost.Thread waits in a detached thread for each group, whose last frees may come after the end
// of the window; Asio's parallel_group is asio/future_whenall_100_by_10.
//
// counts per iteration of boost_thread/future_lots_of_callbacks: 18 000 allocations, 1 744 000 bytes (boost 1.81.0)

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/package_version.hpp"

#include <allocgate/benchmark.hpp>

#include <boost/thread/future.hpp>
#include <boost/version.hpp>

#include <string>
#include <utility>

namespace {

using namespace allocgate::suite;

constexpr int k_times = 1000;
constexpr int k_continuations = 4;

int add_one(boost::future<int> value) {
  return value.get() + 1;
}

const char* run_callbacks() {
  for (int time = 0; time < k_times; ++time) {
    boost::promise<int> promise;
    boost::future<int> last = promise.get_future()
                                  .then(boost::launch::sync, &add_one)
                                  .then(boost::launch::sync, &add_one)
                                  .then(boost::launch::sync, &add_one)
                                  .then(boost::launch::sync, &add_one);
    promise.set_value(time);
    if (last.get() != time + k_continuations) {
      return "a continuation did not run";
    }
  }
  return nullptr;
}

allocgate::WorkloadDescription boost_thread_row(std::string exercises) {
  constexpr int k_major = BOOST_VERSION / 100000;
  constexpr int k_minor = BOOST_VERSION / 100 % 1000;
  constexpr int k_patch = BOOST_VERSION % 100;
  const std::string version = std::to_string(k_major) + "." + std::to_string(k_minor) + "." + std::to_string(k_patch);
  return exact("boost_thread", package_version({("libboost-thread" + version).c_str()}, version), std::move(exercises));
}

void callbacks(benchmark::State& state) {
  measure_after_first_use(state, run_callbacks);
}

ALLOCGATE_WORKLOAD(callbacks, "boost_thread/future_lots_of_callbacks",
                   (boost_thread_row("futures: 1000 with four continuations each")));

}  // namespace
