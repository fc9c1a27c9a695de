// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// boost_thread/future_lots_of_callbacks: a promise, its future with four continuations one after another, and the
// value, 1000 times, all in one thread. A future is its shared state; a continuation is another with the function in
// it, and what its pointer to the one before takes.
//
// boost_thread/future_whenall_100_by_10: 100 times a future of ten futures, all of which get their value then. Each
// group is waited for in a detached thread of its own, whose end is awaited, too, so that the next one has its stack.
// Of the 27 of a group twenty are the futures, the shared state of each and the count of its owners; the others are the
// group's own, the lists that it is moved through, and its thread.
//
// counts per iteration of boost_thread/future_lots_of_callbacks: 18 000 allocations, 1 744 000 bytes (boost 1.81.0)
// counts per iteration of boost_thread/future_whenall_100_by_10: 2 700 allocations, 431 200 bytes (boost 1.81.0)

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/package_version.hpp"

#include <allocgate/benchmark.hpp>

#include <sys/stat.h>
#include <boost/thread/future.hpp>
#include <boost/version.hpp>

#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace allocgate::suite;

constexpr int k_times = 1000;
constexpr int k_continuations = 4;
constexpr int k_groups = 100;
constexpr int k_members = 10;

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

// The kernel's own count, which asks nobody for memory: the folder of threads has a link for each, and two.
bool has_other_threads() {
  constexpr nlink_t k_links_of_one_thread = 3;
  struct stat folder = {};
  return stat("/proc/self/task", &folder) == 0 && folder.st_nlink > k_links_of_one_thread;
}

const char* wait_for_groups() {
  int sum = 0;
  for (int time = 0; time < k_groups; ++time) {
    std::vector<boost::promise<int>> promises(k_members);
    std::vector<boost::future<int>> futures;
    futures.reserve(k_members);
    for (boost::promise<int>& promise : promises) {
      futures.push_back(promise.get_future());
    }
    boost::future<std::vector<boost::future<int>>> all = boost::when_all(futures.begin(), futures.end());
    for (boost::promise<int>& promise : promises) {
      promise.set_value(1);
    }
    for (boost::future<int>& future : all.get()) {
      sum += future.get();
    }
    while (has_other_threads()) {
      std::this_thread::yield();
    }
  }
  return sum == k_groups * k_members ? nullptr : "a future has no value";
}

allocgate::WorkloadDescription boost_thread_row(std::string exercises) {
  constexpr int k_major = BOOST_VERSION / 100000;
  constexpr int k_minor = BOOST_VERSION / 100 % 1000;
  constexpr int k_patch = BOOST_VERSION % 100;
  const std::string version = std::to_string(k_major) + "." + std::to_string(k_minor) + "." + std::to_string(k_patch);
  return exact("boost_thread", package_version({("libboost-thread" + version).c_str()}, version), std::move(exercises));
}

// Two threads, one of which only waits for the other.
allocgate::WorkloadDescription of_threads(allocgate::WorkloadDescription row, unsigned threads) {
  row.threads = threads;
  return row;
}

void callbacks(benchmark::State& state) {
  measure_after_first_use(state, run_callbacks);
}

void when_all(benchmark::State& state) {
  measure_after_first_use(state, wait_for_groups);
}

ALLOCGATE_WORKLOAD(callbacks, "boost_thread/future_lots_of_callbacks",
                   (boost_thread_row("futures: 1000 with four continuations each")));
ALLOCGATE_WORKLOAD(when_all, "boost_thread/future_whenall_100_by_10",
                   (of_threads(boost_thread_row("futures: 100 groups of ten, when_all, a thread for each group"), 2)));

}  // namespace
