// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"
#include "cli/measuring_options.hpp"
#include "cli/workload_stacks.hpp"
#include "measure/record_stacks.hpp"
#include "stacks/recording.hpp"

#include <string>
#include <vector>

namespace allocgate {

/// `allocgate record`.
class CommandRecord final : public Command {
public:
  struct Options {
    std::vector<std::string> command;
    std::string workload;
    std::string output;
    StackCapture capture;
    bool no_children = false;
    NamingOptions naming;
    unsigned sites = 0;
    std::string color = "auto";
    MeasuringOptions measuring;  // of these: suites, configuration, iterations, timeout, allocator
  };

  [[nodiscard]] const Options& options() const { return m_options; }

  CommandRecord();
  [[nodiscard]] const CommandHelp& help() const override;
  void setup(CLI::App& app) override;
  void check() override;
  [[nodiscard]] bool wants_command_line() const override { return true; }
  void take_command_line(std::vector<std::string> words) override { m_options.command = std::move(words); }
  [[nodiscard]] int exit_status_of(ExitCode code) const override;
  int run(const Streams& streams) override;

private:
  StackRun record(const MeasureOptions& how, Launcher& launcher) const;
  void report(const Recording& recording, const Streams& streams) const;

  Options m_options;
};

}  // namespace allocgate
