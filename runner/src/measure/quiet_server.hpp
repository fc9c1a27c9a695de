// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/counted_launch.hpp"
#include "process/background_launch.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace allocgate {

/// What the processes of a running server had counted, and had open, at one moment.
struct ServerReading {
  RecordContents contents;
  std::map<std::int64_t, std::set<int>> descriptors;  // by process, of those that could be looked at
  bool quiet = false;                                 // nothing was counted for a while before
  Count allocations_meanwhile = 0;                    // counted while this reading waited for quiet
  std::chrono::nanoseconds waited{0};
};

/// A server under the hooks, from its start to its end, which is with this object at the latest. One thread.
class QuietServer {
public:
  /// Starts `command` with the caller's environment; its output is kept for messages only. `options` are used until the
  /// end. Throws Error as measure_workload does.
  QuietServer(const std::vector<std::string>& command, const MeasureOptions& options, Launcher& launcher);

  /// Sleeps for at most `time`. Whether the server has ended by then.
  bool ends_within(std::chrono::milliseconds time) { return m_running.ends_within(time); }

  /// Reads once nothing has been counted in any of its processes for a while. Where that does not come in 5 s, two
  /// readings that agree must do, and `quiet` is false. Throws Error (130) when interrupted.
  ServerReading read_when_quiet();

  /// Ends it by SIGTERM, then by SIGKILL, with all it started, and says how it ended. Once.
  LaunchOutcome stop() { return m_running.stop(); }

private:
  CountedLaunch m_launch;
  BackgroundLaunch m_running;
};

/// What was counted from `before` to `after`, process by process, without those that had ended by then. There is no
/// peak in it: it cannot be set back from outside.
RecordContents counted_between(const RecordContents& before, const RecordContents& after);

/// How many descriptors are open in `after` and were not in `before`, in processes that are in both.
Count opened_between(const ServerReading& before, const ServerReading& after);

}  // namespace allocgate
