// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "process/interrupt.hpp"
#include "process/perf_events.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// What to start and with what around it.
struct LaunchSpec {
  enum class Output {
    /// The program stays in the foreground, as under perf or time: the terminal's keys and input are its own, and it
    /// inherits every descriptor that the runner was started with.
    inherit,
    /// Input is empty, both streams are drained, the last lines kept for a failure's message; nothing else is
    /// inherited.
    capture,
  };

  std::vector<std::string> argv;            // argv[0] is looked up in the PATH of `environment` when it has no slash
  std::vector<std::string> environment;     // NAME=VALUE, complete
  std::filesystem::path working_directory;  // empty: the caller's
  Output output = Output::capture;
  bool keep_standard_output = false;                 // with capture: all of it, to k_most_standard_output
  std::optional<std::chrono::milliseconds> timeout;  // then the program and all its descendants are ended

  // With capture only.
  int stop = -1;                          // once it is readable, the program and all its descendants are ended
  std::chrono::milliseconds grace{2000};  // what ends it is SIGTERM, and after this time SIGKILL
  bool end_descendants = false;           // what it leaves running when it ends goes with it
  std::vector<PerfEvent> events;          // counted with its descendants; k_most_perf_events at most
};

/// What is kept of a program that prints without end.
constexpr std::size_t k_most_standard_output = std::size_t{16} << 20;

/// What a program used from its start to its end, with those of its descendants that it waited for.
struct ResourceUse {
  std::chrono::nanoseconds wall_time{0};
  std::chrono::nanoseconds cpu_time{0};  // user and system
  std::int64_t page_faults = 0;
  std::int64_t context_switches = 0;
  std::optional<std::int64_t> peak_resident_bytes;  // absent where the process that became it had as much already
  std::vector<PerfCount> events;                    // as LaunchSpec::events
};

/// How it ended. Every case is an expected outcome, not an error.
struct LaunchOutcome {
  enum class Kind { exited, signalled, timed_out, not_found, not_executable };

  Kind kind = Kind::exited;
  int exit_code = 0;  // exited
  int signal = 0;     // signalled
  bool core_dumped = false;
  std::int64_t pid = 0;
  std::string last_name;        // what the kernel called it at its end, at most 15 bytes: tells an exec; may be empty
  std::string last_lines;       // of the captured output, at most 20 lines, printable
  std::string standard_output;  // with keep_standard_output, as it was written
  std::string reason;           // not_found, not_executable: the file and the system's words
  std::chrono::nanoseconds duration{0};
  ResourceUse used;      // exited, signalled
  bool stopped = false;  // by LaunchSpec::stop
};

/// Starts programs and waits for them. An interface, so that measuring is tested without a process.
class Launcher {
public:
  virtual ~Launcher() = default;
  /// Starts `spec`, waits for its end, and leaves no descendant of a timed-out one alive; a captured program is in a
  /// process group of its own. Signals to the runner are passed on meanwhile. A captured program is then ended with all
  /// its descendants and Error (130) is thrown, also by each later launch; one in the foreground ends as it likes.
  /// Throws Error (1) only if the system cannot start anything.
  virtual LaunchOutcome launch(const LaunchSpec& spec) = 0;
};

/// The real one. launch() may be called by several threads at once. While one exists, SIGINT, SIGTERM and SIGHUP do
/// not end the runner: ask interrupt_received().
class PosixLauncher final : public Launcher {
public:
  LaunchOutcome launch(const LaunchSpec& spec) override;

private:
  InterruptScope m_interrupts;
};

}  // namespace allocgate
