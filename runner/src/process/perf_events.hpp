// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The counters of the processor and the kernel (perf_event_open). A machine may have none of them, and may refuse them;
// both are expected and end in a sentence. open_perf_event and read_perf_event are async-signal-safe, because they run
// in a fork of a process with threads.
namespace allocgate {

/// What perf_event_open is asked for.
struct PerfEvent {
  std::uint32_t type = 0;
  std::uint64_t config = 0;
  bool user_only = true;
};

/// What one event came to. Where the processor had fewer counters than were asked for, it ran for a part of the time.
struct PerfCount {
  std::uint64_t value = 0;
  std::uint64_t enabled_ns = 0;
  std::uint64_t running_ns = 0;
};

/// The event of that name: one of the table (model of `perf list`) or a raw one, "r01c4"; nothing for any other.
std::optional<PerfEvent> perf_event_named(std::string_view name);

/// The names of the table, for messages.
std::vector<std::string> perf_event_names();

/// Why this machine does not count `event`, called `name`, for us: a sentence without a full stop. Nothing when it
/// does.
std::optional<std::string> refusal_of_perf_event(const PerfEvent& event, std::string_view name);

/// A closed-on-exec descriptor that counts for what the calling thread forks from now on, from its exec to its end,
/// with all its descendants; not for the caller itself. -1 with errno set when it is refused.
int open_perf_event(const PerfEvent& event);

/// What `descriptor` counted of the descendants that have ended. Zeroes when it cannot be read.
PerfCount read_perf_event(int descriptor);

}  // namespace allocgate
