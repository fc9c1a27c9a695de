// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "window/window_meter.hpp"

#include "window/counter_arithmetic.hpp"

#include <allocgate/stack_record.h>

#include <sched.h>
#include <stdlib.h>
#include <time.h>

namespace allocgate {

namespace {

// Quiet is: nothing counted for this long while the other threads slept, or for longer while one of them was running or
// waiting for a processor, as threads that poll always are.
constexpr std::uint64_t k_quiet_asleep_ns = 50'000'000;
constexpr std::uint64_t k_quiet_running_ns = 500'000'000;
constexpr std::uint64_t k_longest_wait_ns = 5'000'000'000;

void sleep_a_little() {
  timespec left = {.tv_sec = 0, .tv_nsec = 10'000'000};
  while (nanosleep(&left, &left) != 0) {
  }
}

allocgate_window_entry window_of(const allocgate_counters& sum) {
  allocgate_window_entry window = {};
  window.allocations = sum.allocations;
  window.allocated_bytes = sum.allocated_bytes;
  window.deallocations = sum.deallocations;
  window.reallocations = sum.reallocations;
  window.failed_allocations = sum.failed_allocations;
  window.allocated_usable_bytes = sum.allocated_usable_bytes;
  window.deallocated_bytes = sum.deallocated_bytes;
  window.live_bytes = sum.live_bytes;
  window.peak_live_bytes = sum.peak_live_bytes;
  for (unsigned slot = 0; slot < ALLOCGATE_SIZE_CLASS_SLOTS; ++slot) {
    window.size_classes[slot] = sum.size_classes[slot];
  }
  return window;
}

}  // namespace

// A spin lock: std::mutex needs the C++ library, and the sections are short. Only loops that begin or end meet here.
class WindowMeter::Lock {
public:
  explicit Lock(std::atomic<bool>& locked) : m_locked(locked) {
    while (m_locked.exchange(true, std::memory_order_acquire)) {
      sched_yield();
    }
  }
  ~Lock() { m_locked.store(false, std::memory_order_release); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

private:
  std::atomic<bool>& m_locked;
};

void WindowMeter::start(const allocgate_hooks_table& hooks, Sink sink) {
  m_hooks = &hooks;
  const char* const window = getenv(ALLOCGATE_ENV_STACKS_WINDOW);
  m_records_one = window != nullptr;
  m_recorded_window = window != nullptr ? strtoull(window, nullptr, 10) : 0;
  m_sink.store(sink, std::memory_order_release);
}

void WindowMeter::stop() {
  m_sink.store(nullptr, std::memory_order_release);
}

WindowMeter::Loop* WindowMeter::find(const void* loop) {
  for (Loop& known : m_loops) {
    if (known.state.load(std::memory_order_acquire) == loop) {
      return &known;
    }
  }
  return nullptr;
}

void WindowMeter::read_for(allocgate_counters& out) const {
  if (m_several) {
    m_hooks->read_thread(&out);
  } else {
    m_hooks->read_process(&out);
  }
}

void WindowMeter::start_section(Loop& loop) {
  if (!m_several) {
    m_hooks->reset_peak();
  }
  loop.section = Section::counting;
  loop.section_start_ns = monotonic_ns();
  if (m_records) {
    if (m_several) {
      m_hooks->set_thread_stacks(ALLOCGATE_THREAD_STACKS_ON);
    } else {
      m_hooks->resume_stacks();
    }
  }
  read_for(loop.section_start);
}

void WindowMeter::pause_recording() {
  if (m_records && m_several) {
    m_hooks->set_thread_stacks(ALLOCGATE_THREAD_STACKS_AS_PROCESS);
  } else if (m_records) {
    m_hooks->pause_stacks();
  }
}

void WindowMeter::end_section(Loop& loop, const allocgate_counters& now) {
  const std::int64_t peak_live_bytes = loop.sum.live_bytes + (now.peak_live_bytes - loop.section_start.live_bytes);
  if (peak_live_bytes > loop.sum.peak_live_bytes) {
    loop.sum.peak_live_bytes = peak_live_bytes;
  }
  add_difference(loop.sum, loop.section_start, now);
}

void WindowMeter::loop_enters(const void* loop) {
  if (!measures()) {
    return;
  }
  const Lock lock(m_locked);
  // A loop of this window's could not enter any more, so those that run are left over from a window before it.
  if (m_phase == Phase::running) {
    abandon_entered_loops();
  }
  if (m_phase == Phase::idle) {
    m_phase = Phase::entering;
    m_open_at_start.read();
    m_records =
        m_hooks->stacks == ALLOCGATE_STACKS_OF_WINDOWS && (!m_records_one || m_recorded_window == m_given_windows);
  }
  ++m_entered;
  Loop* free = find(nullptr);
  if (free == nullptr) {
    m_flags |= ALLOCGATE_WINDOW_ERROR;
    ++m_left;
    return;
  }
  free->duration_ns = 0;
  free->sum = {};
  free->section = Section::outside;
  free->state.store(loop, std::memory_order_release);
}

void WindowMeter::loop_started(const void* loop, std::uint64_t iterations, bool failed) {
  Loop* started = measures() ? find(loop) : nullptr;
  if (started == nullptr) {
    return;
  }
  {
    const Lock lock(m_locked);
    m_iterations = iterations;
    m_flags |= failed ? std::uint32_t{ALLOCGATE_WINDOW_ERROR} : 0U;
    if (m_phase == Phase::entering) {
      m_phase = Phase::running;
      m_several = m_entered > 1;
      if (m_several) {
        m_hooks->reset_peak();
        m_hooks->read_process(&m_process_at_end);
        m_live_bytes_at_start = m_process_at_end.live_bytes;
      }
    }
  }
  start_section(*started);
}

void WindowMeter::loop_pauses(const void* loop) {
  Loop* paused = measures() ? find(loop) : nullptr;
  if (paused == nullptr || paused->section != Section::counting) {
    return;
  }
  allocgate_counters now;
  read_for(now);
  pause_recording();
  paused->duration_ns += monotonic_ns() - paused->section_start_ns;
  end_section(*paused, now);
  paused->section = Section::paused;
}

void WindowMeter::loop_resumed(const void* loop) {
  Loop* resumed = measures() ? find(loop) : nullptr;
  if (resumed != nullptr && resumed->section == Section::paused) {
    start_section(*resumed);
  }
}

void WindowMeter::loop_failed(const void* loop) {
  if (measures() && find(loop) != nullptr) {
    const Lock lock(m_locked);
    m_flags |= ALLOCGATE_WINDOW_ERROR;
  }
}

void WindowMeter::loop_finishes(const void* loop) {
  Loop* finishing = measures() ? find(loop) : nullptr;
  if (finishing == nullptr || finishing->section != Section::counting) {
    return;
  }
  allocgate_counters now;
  read_for(now);
  finishing->duration_ns += monotonic_ns() - finishing->section_start_ns;
  if (m_several) {
    pause_recording();
  } else {
    // The other threads are in the window until they are quiet.
    m_hooks->read_thread(&m_thread_at_end);
    if (m_records) {
      m_hooks->set_thread_stacks(ALLOCGATE_THREAD_STACKS_OFF);
    }
    m_peak_is_exact = m_hooks->level >= ALLOCGATE_LEVEL_USABLE && same_events(now, m_thread_at_end);
    m_process_at_end = now;
  }
  end_section(*finishing, now);
  finishing->section = Section::ended;
}

// Adds what the workload's other threads did after the loop ended, and not what FinishKeepRunning did on this one.
void WindowMeter::settle(Loop& loop) {
  const bool is_alone = look_at_other_threads() == OtherThreads::none;
  allocgate_counters thread;
  m_hooks->read_thread(&thread);
  add_difference(loop.sum, thread, m_thread_at_end);

  const std::uint64_t start_ns = monotonic_ns();
  std::uint64_t changed_ns = start_ns;
  allocgate_counters now;
  m_hooks->read_process(&now);
  while (!is_alone) {
    sleep_a_little();
    const allocgate_counters before = now;
    m_hooks->read_process(&now);
    const std::uint64_t now_ns = monotonic_ns();
    if (!same_events(before, now)) {
      changed_ns = now_ns;
    }
    const bool running = look_at_other_threads() == OtherThreads::running;
    if (now_ns - changed_ns >= (running ? k_quiet_running_ns : k_quiet_asleep_ns)) {
      break;
    }
    if (now_ns - start_ns >= k_longest_wait_ns) {
      m_flags |= ALLOCGATE_WINDOW_NOT_DRAINED;
      break;
    }
  }
  add_difference(loop.sum, m_process_at_end, now);
  pause_recording();
  if (m_records) {
    m_hooks->set_thread_stacks(ALLOCGATE_THREAD_STACKS_AS_PROCESS);
  }
}

void WindowMeter::loop_finished(const void* loop, std::uint64_t iterations) {
  Loop* finished = measures() ? find(loop) : nullptr;
  if (finished == nullptr) {
    return;
  }
  if (!m_several && finished->section == Section::ended) {
    settle(*finished);
  }
  const Lock lock(m_locked);
  m_iterations = iterations;
  if (finished->duration_ns > m_duration_ns) {
    m_duration_ns = finished->duration_ns;
  }
  add_difference(m_sum, {}, finished->sum);
  m_sum.peak_live_bytes = finished->sum.peak_live_bytes;
  finished->state.store(nullptr, std::memory_order_release);
  ++m_left;
  if (m_left == m_entered) {
    give_window();
  }
}

void WindowMeter::give_window() {
  m_open_at_end.read();
  if (m_several) {
    m_hooks->read_process(&m_process_at_end);
    const std::int64_t peak_live_bytes = m_process_at_end.peak_live_bytes - m_live_bytes_at_start;
    m_sum.peak_live_bytes = peak_live_bytes > 0 ? peak_live_bytes : 0;
  }
  allocgate_window_entry window = window_of(m_sum);
  window.iterations = m_iterations;
  window.duration_ns = m_duration_ns;
  window.threads = m_entered;
  window.peak_is_exact = !m_several && m_peak_is_exact ? 1 : 0;
  window.open_fds = m_open_at_end.count_missing_from(m_open_at_start).value_or(-1);
  window.flags = m_flags | stacks_flag();
  m_sink.load(std::memory_order_acquire)(window);
  forget_loops();
}

std::uint32_t WindowMeter::stacks_flag() const {
  return m_records ? std::uint32_t{ALLOCGATE_WINDOW_STACKS} : 0U;
}

void WindowMeter::forget_loops() {
  for (Loop& loop : m_loops) {
    loop.state.store(nullptr, std::memory_order_release);
  }
  ++m_given_windows;
  m_records = false;
  m_phase = Phase::idle;
  m_entered = 0;
  m_left = 0;
  m_flags = 0;
  m_iterations = 0;
  m_duration_ns = 0;
  m_peak_is_exact = false;
  m_sum = {};
}

void WindowMeter::abandon_loops() {
  if (measures()) {
    const Lock lock(m_locked);
    abandon_entered_loops();
  }
}

void WindowMeter::abandon_entered_loops() {
  if (m_phase == Phase::idle) {
    return;
  }
  allocgate_window_entry window = {};
  window.iterations = m_iterations;
  window.threads = m_entered;
  window.open_fds = -1;
  window.flags = ALLOCGATE_WINDOW_ERROR | stacks_flag();
  for (const Loop& loop : m_loops) {
    const bool is_left = loop.state.load(std::memory_order_acquire) != nullptr;
    if (is_left && !m_several && (loop.section == Section::counting || loop.section == Section::ended)) {
      pause_recording();
    }
  }
  if (m_records) {
    m_hooks->set_thread_stacks(ALLOCGATE_THREAD_STACKS_AS_PROCESS);
  }
  m_sink.load(std::memory_order_acquire)(window);
  forget_loops();
}

}  // namespace allocgate
