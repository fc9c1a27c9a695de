// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"
#include "cli/output_options.hpp"

#include <string>
#include <vector>

namespace allocgate {

/// `allocgate compare A...`: one result with its families, or several side by side; nothing is judged.
class CommandCompare final : public Command {
public:
  struct Options {
    std::vector<std::string> results;
    std::vector<std::string> workloads;
    std::vector<std::string> measures;
    std::string config;
    bool all = false;
    bool totals = false;
    bool layers = false;
    OutputOptions output;
  };

  [[nodiscard]] const Options& options() const { return m_options; }

  [[nodiscard]] const CommandHelp& help() const override;
  void setup(CLI::App& app) override;
  void check() override;
  int run(const Streams& streams) override;

private:
  Options m_options;
};

}  // namespace allocgate
