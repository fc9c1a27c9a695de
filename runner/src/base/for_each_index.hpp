// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace allocgate {

/// Calls `work(index)` for each index below `count`, on `threads` threads, of which the caller's is one. The first
/// exception is thrown again when all have ended; after it no new index begins.
template <typename Work>
void for_each_index(std::size_t count, std::size_t threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work_on = [&] {
    for (std::size_t index = next++; index < count; index = next++) {
      try {
        work(index);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        failure = failure ? failure : std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < std::min(threads, count); ++i) {
    others.emplace_back(work_on);
  }
  work_on();
  for (std::thread& thread : others) {
    thread.join();
  }
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace allocgate
