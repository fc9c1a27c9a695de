// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "window/process_facts.hpp"

#include <allocgate/hooks.h>

#include <atomic>
#include <cstdint>

namespace allocgate {

/// Measures google-benchmark's loops: what the hooks counted between the start of a loop and its end, without the
/// sections in which timing is paused. It is told of a loop's events by functions that stand around those of
/// benchmark::State; a loop is known by the address of its State.
///
/// The loops that run at the same time (one a thread, for ->Threads(k)) make one window. How many they are needs no
/// knowledge of State: google-benchmark lets none of them start before all have entered. A window of one loop is the
/// difference of two readings of the whole process, so it has what threads of the workload did; one of k loops is the
/// sum of their threads' own readings. Where the hooks record the call stacks of windows (stack_record.h), they do so
/// for exactly the threads and sections that are counted.
///
/// Nothing here allocates, throws or needs the C++ library at run time; every function may be called on any thread. All
/// members start as zeroes, so that a meter nobody uses costs no memory.
class WindowMeter {
public:
  /// Takes a window when its last loop ended, on the thread of that loop. May not call the meter.
  using Sink = void (*)(const allocgate_window_entry& window);

  /// Loops that enter from now on are measured; `hooks` must stay loaded. Not while loops run.
  void start(const allocgate_hooks_table& hooks, Sink sink);

  /// Loops that enter from now on are not measured. Not while loops run.
  void stop();

  [[nodiscard]] bool measures() const { return m_sink.load(std::memory_order_acquire) != nullptr; }

  /// Before State::StartKeepRunning.
  void loop_enters(const void* loop);
  /// After it: `iterations` are planned; `failed` when the workload gave up before its loop.
  void loop_started(const void* loop, std::uint64_t iterations, bool failed);
  /// Before State::PauseTiming and after State::ResumeTiming.
  void loop_pauses(const void* loop);
  void loop_resumed(const void* loop);
  /// The workload said that it failed: its window will say so.
  void loop_failed(const void* loop);
  /// Before State::FinishKeepRunning.
  void loop_finishes(const void* loop);
  /// After it: `iterations` were made. Waits until the workload's other threads are quiet, for at most 5 s.
  void loop_finished(const void* loop, std::uint64_t iterations);

  /// Gives the sink an ALLOCGATE_WINDOW_ERROR window for loops that were left without an end (`break` after
  /// State::SkipWithError, or an exception), if there are any. Not while loops run.
  void abandon_loops();

private:
  /// Where a loop is. FinishKeepRunning pauses and StartKeepRunning resumes by themselves, through names that are
  /// ours in some builds of google-benchmark and not in others: that happens `outside` and after the `end`.
  enum class Section { outside, counting, paused, ended };

  struct Loop {
    std::atomic<const void*> state{nullptr};  // null: free
    Section section = Section::outside;
    std::uint64_t section_start_ns = 0;
    std::uint64_t duration_ns = 0;
    allocgate_counters section_start{};
    allocgate_counters sum{};
  };

  enum class Phase { idle, entering, running };

  /// Loops at the same time; a window with more says that it failed.
  static constexpr unsigned k_most_loops = 256;

  class Lock;

  Loop* find(const void* loop);
  void read_for(allocgate_counters& out) const;
  void start_section(Loop& loop);
  void end_section(Loop& loop, const allocgate_counters& now);
  void pause_recording();
  void settle(Loop& loop);
  std::uint32_t stacks_flag() const;
  void give_window();
  void forget_loops();
  void abandon_entered_loops();

  const allocgate_hooks_table* m_hooks = nullptr;
  std::atomic<Sink> m_sink{nullptr};

  std::atomic<bool> m_locked{false};
  Phase m_phase = Phase::idle;
  unsigned m_entered = 0;
  unsigned m_left = 0;
  bool m_several = false;  // loops: readings are of their threads, not of the whole process
  bool m_peak_is_exact = false;
  bool m_records = false;      // the call stacks of this window
  bool m_records_one = false;  // of the process's windows: the one of this number
  std::uint64_t m_recorded_window = 0;
  std::uint64_t m_given_windows = 0;
  std::uint32_t m_flags = 0;
  std::uint64_t m_iterations = 0;
  std::uint64_t m_duration_ns = 0;
  std::int64_t m_live_bytes_at_start = 0;
  allocgate_counters m_sum{};
  allocgate_counters m_process_at_end{};
  allocgate_counters m_thread_at_end{};
  OpenDescriptors m_open_at_start;
  OpenDescriptors m_open_at_end;
  Loop m_loops[k_most_loops];
};

}  // namespace allocgate
