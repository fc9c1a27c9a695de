// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "base/exit_code.hpp"
#include "cli/streams.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace allocgate {

/// A command line to copy, and what it is good for.
struct HelpExample {
  std::string_view command_line;
  std::string_view what;
};

/// A code with which the command can end, and what that says.
struct HelpExitCode {
  std::string_view code;
  std::string_view meaning;
};

/// What `--help` says beside the options.
struct CommandHelp {
  std::string_view name;         // "run", "baseline update"
  std::string_view summary;      // one line, for the list of commands
  std::string_view synopsis;     // what follows the name: "[OPTIONS] [NAME...]"
  std::string_view description;  // paragraphs, separated by an empty line
  std::vector<HelpExample> examples;
  std::vector<HelpExitCode> exit_codes;
};

/// One subcommand: its options, then its work. An object serves one invocation, on one thread.
///
/// `setup` declares options that fill the object's own members; `check` says what is wrong with them together. Neither
/// opens a file, reads the environment or starts anything, so options are tested without running. `run` does the work.
class Command {
public:
  Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  virtual ~Command() = default;

  [[nodiscard]] virtual const CommandHelp& help() const = 0;
  virtual void setup(CLI::App& app) = 0;
  /// Throws Error (64) for options that contradict each other.
  virtual void check() {}
  /// Whether the words after the options are a command line to start, which is then given to `take_command_line`.
  [[nodiscard]] virtual bool wants_command_line() const { return false; }
  virtual void take_command_line(std::vector<std::string> /*words*/) {}
  /// What an Error that reaches run_cli ends with; `stat` has codes of its own, because it ends as its command ended.
  [[nodiscard]] virtual int exit_status_of(ExitCode code) const { return static_cast<int>(code); }

  /// Is shown the words before they are read, so that also a wrong use ends with the code that the caller waits for.
  virtual void see_words(const std::vector<std::string>& /*words*/) {}

  /// The process's exit status. Throws Error when the command cannot go on.
  virtual int run(const Streams& streams) = 0;
};

enum class ParsedAs { to_run, help_wanted };

/// Reads `arguments` (those after the command's name) into `command`. Throws Error (64) that names the argument and
/// the nearest option, and says how to get help.
ParsedAs parse_arguments(Command& command, const std::vector<std::string>& arguments);

}  // namespace allocgate
