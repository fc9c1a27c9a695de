// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "process/interrupt.hpp"

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
};

/// What is kept of a program that prints without end.
constexpr std::size_t k_most_standard_output = std::size_t{16} << 20;

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
