// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace allocgate {

/// What the loops of one window took.
struct LoopTimes {
  std::int64_t wall_time_ns = 0;
  std::int64_t cpu_time_ns = 0;
  std::int64_t page_faults = 0;
  std::int64_t context_switches = 0;
};

/// The greatest resident memory of this process since it began its program, where the system says. What a parent learns
/// from wait is not it: the kernel lets that begin with the memory of whoever became the program.
std::optional<std::int64_t> peak_resident_bytes();

/// Times google-benchmark's loops, without the sections in which timing is paused, for runs in which nothing is
/// counted. One loop is timed as the whole process, so that threads of the workload are in it; of several at once, as
/// of
/// ->Threads(k), each is timed as its own thread: the longest wall time and the sum of the rest. Does nothing until it
/// is started. Any thread may call it.
class LoopClock {
public:
  void start();

  /// What the loops took that ended since it was last asked; nothing when none has.
  std::optional<LoopTimes> take();

  /// As WindowMeter's: around StartKeepRunning, PauseTiming, ResumeTiming and before FinishKeepRunning.
  void loop_enters(const void* loop);
  void loop_started(const void* loop);
  void loop_pauses(const void* loop);
  void loop_resumed(const void* loop);
  void loop_finishes(const void* loop);

private:
  struct Loop {
    bool runs = false;
    LoopTimes section_start;
    LoopTimes sum;
  };

  [[nodiscard]] LoopTimes now(bool begins) const;
  void end_section(Loop& loop, const LoopTimes& end) const;

  std::mutex m_mutex;
  bool m_started = false;
  bool m_several = false;
  std::map<const void*, Loop> m_loops;
  std::optional<LoopTimes> m_ended;
};

/// The clock of this program's loops.
LoopClock& loop_clock();

}  // namespace allocgate
