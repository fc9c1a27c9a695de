// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "adapter/loop_clock.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

#include <sys/resource.h>
#include <time.h>

namespace allocgate {

namespace {

std::int64_t read_clock(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

#ifdef RUSAGE_THREAD
constexpr int k_own_thread = RUSAGE_THREAD;
#else
constexpr int k_own_thread = RUSAGE_SELF;
#endif

}  // namespace

std::optional<std::int64_t> peak_resident_bytes() {
  constexpr std::int64_t k_kilobyte = 1024;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) {
      return kilobytes * k_kilobyte;
    }
  }
  return std::nullopt;
}

LoopClock& loop_clock() {
  static LoopClock clock;
  return clock;
}

void LoopClock::start() {
  const std::lock_guard lock(m_mutex);
  m_started = true;
}

std::optional<LoopTimes> LoopClock::take() {
  const std::lock_guard lock(m_mutex);
  m_loops.clear();
  return std::exchange(m_ended, std::nullopt);
}

// The wall clock is read next to the loop, whichever side of it this is.
LoopTimes LoopClock::now(bool begins) const {
  LoopTimes times;
  rusage used = {};
  if (!begins) {
    times.wall_time_ns = read_clock(CLOCK_MONOTONIC);
    times.cpu_time_ns = read_clock(m_several ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID);
  }
  getrusage(m_several ? k_own_thread : RUSAGE_SELF, &used);
  times.page_faults = used.ru_minflt + used.ru_majflt;
  times.context_switches = used.ru_nvcsw + used.ru_nivcsw;
  if (begins) {
    times.cpu_time_ns = read_clock(m_several ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID);
    times.wall_time_ns = read_clock(CLOCK_MONOTONIC);
  }
  return times;
}

void LoopClock::end_section(Loop& loop, const LoopTimes& end) const {
  loop.sum.wall_time_ns += end.wall_time_ns - loop.section_start.wall_time_ns;
  loop.sum.cpu_time_ns += end.cpu_time_ns - loop.section_start.cpu_time_ns;
  loop.sum.page_faults += end.page_faults - loop.section_start.page_faults;
  loop.sum.context_switches += end.context_switches - loop.section_start.context_switches;
  loop.runs = false;
}

void LoopClock::loop_enters(const void* loop) {
  const std::lock_guard lock(m_mutex);
  if (m_started) {
    m_loops.insert_or_assign(loop, Loop());
    m_several = m_loops.size() > 1;  // google-benchmark lets none of them start before all have entered
  }
}

void LoopClock::loop_started(const void* loop) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_loops.find(loop);
  if (found != m_loops.end()) {
    found->second.runs = true;
    found->second.section_start = now(true);
  }
}

void LoopClock::loop_pauses(const void* loop) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_loops.find(loop);
  if (found != m_loops.end() && found->second.runs) {
    end_section(found->second, now(false));
  }
}

void LoopClock::loop_resumed(const void* loop) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_loops.find(loop);
  if (found != m_loops.end()) {
    found->second.runs = true;
    found->second.section_start = now(true);
  }
}

void LoopClock::loop_finishes(const void* loop) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_loops.find(loop);
  if (found == m_loops.end() || !found->second.runs) {
    return;
  }
  end_section(found->second, now(false));
  const LoopTimes& sum = found->second.sum;
  LoopTimes ended = m_ended.value_or(LoopTimes());
  ended.wall_time_ns = std::max(ended.wall_time_ns, sum.wall_time_ns);
  ended.cpu_time_ns += sum.cpu_time_ns;
  ended.page_faults += sum.page_faults;
  ended.context_switches += sum.context_switches;
  m_ended = ended;
  // What FinishKeepRunning pauses and StartKeepRunning resumes by themselves must find no loop.
  m_loops.erase(found);
}

}  // namespace allocgate
