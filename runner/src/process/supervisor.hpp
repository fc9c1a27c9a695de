// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "process/perf_events.hpp"

#include <cstddef>
#include <cstdint>

#include <csignal>

// The process between the runner and a program it starts. The kernel gives every orphaned descendant of the program to
// it (PR_SET_CHILD_SUBREAPER), so that it can end all of them, also those that left the process group, and knows when
// none is left; one a program, so that concurrent launches cannot take each other's for theirs. It does so as well when
// the runner is gone: its control pipe ends then.
//
// It is forked from a process with threads, so it calls async-signal-safe functions only and never allocates.
namespace allocgate {

/// As many events as one program can be counted by at once.
constexpr std::size_t k_most_perf_events = 16;

/// What supervise() needs, made before the fork. Descriptors are above 2; -1 leaves a standard stream as it is.
struct SupervisedProgram {
  const char* path = nullptr;
  char* const* argv = nullptr;
  char* const* shell_argv = nullptr;  // a script without an interpreter line is given to the shell, as execvp does
  char* const* environment = nullptr;
  const char* working_directory = nullptr;  // null: the caller's
  int input = -1;
  int output = -1;
  int error = -1;
  int control = -1;  // read end: SupervisorCommand
  int report = -1;   // write end: SupervisorReport
  /// A measured program begins in a process group of its own with default signals. One in the foreground stays in the
  /// terminal's group with the signals that the runner was started with.
  bool foreground = false;
  sigset_t foreground_mask{};
  bool end_descendants = false;  // what the program leaves running goes with it; not in the foreground
  std::int64_t grace_ms = 2000;  // between SIGTERM and SIGKILL
  const PerfEvent* events = nullptr;
  std::size_t event_count = 0;  // at most k_most_perf_events; none in the foreground
};

/// From the runner. The end of the pipe means end_all.
struct SupervisorCommand {
  enum class Kind : std::int32_t { pass_on, end_all };
  Kind kind = Kind::end_all;
  std::int32_t signal = 0;  // pass_on: to the program's process group, or to the program alone in the foreground
};

/// What the program used, with those of its descendants that it waited for.
struct SupervisorUsage {
  std::int64_t wall_ns = 0;  // from before the fork to its end
  std::int64_t cpu_ns = 0;
  std::int64_t page_faults = 0;
  std::int64_t context_switches = 0;
  std::int64_t peak_resident_bytes = 0;
  std::int64_t resident_before_bytes = 0;  // of the process that became the program: the peak cannot be less
  PerfCount events[k_most_perf_events];
};

/// To the runner: started, then exec_failed if that happened, then ended.
struct SupervisorReport {
  enum class Kind : std::int32_t { started, exec_failed, fork_failed, ended };
  Kind kind = Kind::ended;
  std::int32_t pid = 0;
  std::int32_t value = 0;  // exec_failed, fork_failed: errno; ended: the status of waitpid
  char name[16] = {};      // ended: what the kernel called the program at its end, as in /proc/PID/comm
  SupervisorUsage usage;   // ended
};

/// Runs in a fresh fork of the runner with all signals blocked. Returns never; the program's end is reported as soon as
/// it ended, or after end_all as soon as no descendant is left.
[[noreturn]] void supervise(const SupervisedProgram& program);

}  // namespace allocgate
