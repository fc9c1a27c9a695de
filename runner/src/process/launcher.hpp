// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// What to start and with what around it. Nothing is inherited but descriptors 0 to 2.
struct LaunchSpec {
  enum class Output { inherit, capture };  // capture: both streams, the last lines kept for a failure's message

  std::vector<std::string> argv;         // argv[0] is looked up in PATH when it has no slash
  std::vector<std::string> environment;  // NAME=VALUE, complete
  std::string working_directory;         // empty: the caller's
  Output output = Output::capture;
  std::optional<std::chrono::milliseconds> timeout;  // then the whole process group is killed
};

/// How it ended. Every case is an expected outcome, not an error.
struct LaunchOutcome {
  enum class Kind { exited, signalled, timed_out, not_found, not_executable };

  Kind kind = Kind::exited;
  int exit_code = 0;  // exited
  int signal = 0;     // signalled
  std::int64_t pid = 0;
  std::string last_lines;  // of the captured output, at most 20 lines
  std::string reason;      // not_found, not_executable: the system's words
  std::chrono::nanoseconds duration{0};
};

/// Starts programs and waits for them. An interface, so that measuring is tested without a process.
class Launcher {
public:
  virtual ~Launcher() = default;
  /// Starts `spec` in a process group of its own, waits for its end, and leaves no descendant of a timed-out one alive.
  /// SIGINT and SIGTERM to the runner meanwhile are passed on. Throws Error only if the system cannot start anything.
  virtual LaunchOutcome launch(const LaunchSpec& spec) = 0;
};

/// The real one.
class PosixLauncher final : public Launcher {
public:
  LaunchOutcome launch(const LaunchSpec& spec) override;
};

}  // namespace allocgate
