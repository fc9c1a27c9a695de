// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "measure/measure_workload.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace allocgate {

/// With what a command that ends as another one ended says its own failures: 64, 126, 127 and 130 as they are, all else
/// is 125.
int status_of_own_failure(ExitCode code);

/// `allocgate stat -- COMMAND...`: counts a command and its children, and ends as the command ended. With --ready and
/// --during the command is a server, which is counted under load.
class CommandStat final : public Command {
public:
  struct Options {
    std::vector<std::string> command;
    unsigned samples = 1;
    std::string allocator = "system";
    std::string level = "usable";
    bool no_children = false;
    double timeout_seconds = 0;
    std::string ready;  // with `during`: the command is a server
    std::string during;
    std::uint64_t iterations = 0;
    double ready_timeout_seconds = 0;
    OutputOptions output;

    [[nodiscard]] bool is_server() const { return !ready.empty() || !during.empty(); }
  };

  [[nodiscard]] const Options& options() const { return m_options; }

  [[nodiscard]] const CommandHelp& help() const override;
  void setup(CLI::App& app) override;
  void check() override;
  [[nodiscard]] bool wants_command_line() const override { return true; }
  void take_command_line(std::vector<std::string> words) override { m_options.command = std::move(words); }
  [[nodiscard]] int exit_status_of(ExitCode code) const override { return status_of_own_failure(code); }
  int run(const Streams& streams) override;

private:
  /// One start of the command, or one life of the server.
  CommandResult measure_once(const MeasureOptions& how, Launcher& launcher) const;
  void deliver_result(const Result& result, const std::string& ending, const Streams& streams) const;

  Options m_options;
};

/// With what `stat` ends for a command that ended like this: its own code, 128 + signal, 125 for a timeout, 126 or 127
/// when it was not started.
int exit_status_of(const LaunchOutcome& outcome);

}  // namespace allocgate
