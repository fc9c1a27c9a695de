// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/quiet_server.hpp"

#include "measure/process_results.hpp"
#include "process/interrupt.hpp"
#include "process/open_descriptors.hpp"

#include <algorithm>
#include <array>

namespace allocgate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds k_quiet{300};
constexpr std::chrono::milliseconds k_between_readings{20};
constexpr std::chrono::seconds k_longest_wait{5};
constexpr unsigned k_most_tries_to_agree = 200;

/// Servers write their state when they are asked to end; nothing that is counted waits for it.
constexpr std::chrono::seconds k_grace_of_server{5};

constexpr std::array k_differences = {
    &RecordCounters::allocations,        &RecordCounters::deallocations,   &RecordCounters::reallocations,
    &RecordCounters::failed_allocations, &RecordCounters::allocated_bytes, &RecordCounters::allocated_usable_bytes,
    &RecordCounters::deallocated_bytes,  &RecordCounters::live_bytes,
};

LaunchSpec with_grace(LaunchSpec spec) {
  spec.timeout.reset();
  spec.grace = k_grace_of_server;
  return spec;
}

bool same_counters(const RecordProcess& left, const RecordProcess& right) {
  return left.entry == right.entry && left.counters.size_classes == right.counters.size_classes &&
         std::all_of(k_differences.begin(), k_differences.end(),
                     [&](auto counter) { return left.counters.*counter == right.counters.*counter; });
}

bool same_counts(const RecordContents& left, const RecordContents& right) {
  return left.blind_programs.size() == right.blind_programs.size() &&
         std::equal(left.processes.begin(), left.processes.end(), right.processes.begin(), right.processes.end(),
                    same_counters);
}

const RecordProcess* find_entry(const RecordContents& contents, std::size_t entry) {
  const auto found = std::find_if(contents.processes.begin(), contents.processes.end(),
                                  [entry](const RecordProcess& process) { return process.entry == entry; });
  return found == contents.processes.end() ? nullptr : &*found;
}

Count allocations_in(const RecordContents& contents) {
  return sum_of(contents.processes).allocations;
}

}  // namespace

QuietServer::QuietServer(const std::vector<std::string>& command, const MeasureOptions& options, Launcher& launcher)
    : m_launch(options),
      m_running(launcher,
                with_grace(m_launch.spec_of(command, Environment::inherited(), CountedLaunch::Forwarder::no))) {}

ServerReading QuietServer::read_when_quiet() {
  ServerReading reading;
  const Clock::time_point start = Clock::now();
  Clock::time_point changed = start;
  RecordContents last = m_launch.counts_now();
  const Count allocations_at_start = allocations_in(last);
  unsigned tries_to_agree = 0;
  for (;;) {
    throw_if_interrupted();
    const bool ended = ends_within(k_between_readings);
    RecordContents now = m_launch.counts_now();
    const bool agree = same_counts(last, now);
    const Clock::time_point at = Clock::now();
    changed = agree ? changed : at;
    last = std::move(now);
    reading.quiet = at - changed >= k_quiet;
    const bool waited_long_enough = at - start >= k_longest_wait;
    tries_to_agree += waited_long_enough ? 1 : 0;
    if (reading.quiet || ended || (waited_long_enough && (agree || tries_to_agree > k_most_tries_to_agree))) {
      break;
    }
  }
  reading.waited = Clock::now() - start;
  reading.allocations_meanwhile = allocations_in(last) - allocations_at_start;
  for (const RecordProcess& process : last.processes) {
    if (auto open = open_descriptors_of(process.pid)) {
      reading.descriptors[process.pid] = std::move(*open);
    }
  }
  reading.contents = std::move(last);
  return reading;
}

RecordContents counted_between(const RecordContents& before, const RecordContents& after) {
  RecordContents between = after;
  std::erase_if(between.processes, [&before](const RecordProcess& process) {
    const RecordProcess* earlier = find_entry(before, process.entry);
    return earlier != nullptr && earlier->exited;
  });
  for (RecordProcess& process : between.processes) {
    process.counters.peak_live_bytes = 0;
    const RecordProcess* earlier = find_entry(before, process.entry);
    if (earlier == nullptr) {
      continue;
    }
    for (const auto counter : k_differences) {
      process.counters.*counter -= earlier->counters.*counter;
    }
    for (std::size_t slot = 0; slot < k_size_classes; ++slot) {
      process.counters.size_classes[slot] -= earlier->counters.size_classes[slot];
    }
  }
  return between;
}

Count opened_between(const ServerReading& before, const ServerReading& after) {
  Count opened = 0;
  for (const auto& [pid, open] : after.descriptors) {
    const auto earlier = before.descriptors.find(pid);
    if (earlier != before.descriptors.end()) {
      opened += std::count_if(open.begin(), open.end(), [&](int fd) { return !earlier->second.contains(fd); });
    }
  }
  return opened;
}

}  // namespace allocgate
