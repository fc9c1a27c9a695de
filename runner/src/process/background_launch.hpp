// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "process/descriptor.hpp"
#include "process/launcher.hpp"

#include <chrono>
#include <future>

namespace allocgate {

/// A captured program that runs while its owner does something else: a server. A thread of its own waits for it, so
/// that its output is read all the time. It ends with this object at the latest, with all its descendants. One thread.
class BackgroundLaunch {
public:
  /// Starts `spec`, whose output is captured. `launcher` is used until the end.
  BackgroundLaunch(Launcher& launcher, LaunchSpec spec);
  BackgroundLaunch(const BackgroundLaunch&) = delete;
  BackgroundLaunch& operator=(const BackgroundLaunch&) = delete;
  ~BackgroundLaunch();

  /// Sleeps for at most `time`. Whether the program has ended by then.
  bool ends_within(std::chrono::milliseconds time);

  /// Ends it, if it has not ended by itself, and says how it ended; once. Throws Error as launch() does: 130 when a
  /// signal ended it.
  LaunchOutcome stop();

private:
  void ask_to_stop();

  LaunchSpec m_spec;
  Pipe m_stop;
  std::future<LaunchOutcome> m_outcome;
};

}  // namespace allocgate
