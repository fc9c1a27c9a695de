// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"
#include "cli/output_options.hpp"

#include <string>

namespace allocgate {

/// `allocgate baseline list`: which testbeds and suites have a baseline.
class CommandBaselineList final : public Command {
public:
  struct Options {
    std::string baseline;
    std::string config;
    OutputOptions output;
  };

  [[nodiscard]] const Options& options() const { return m_options; }

  [[nodiscard]] const CommandHelp& help() const override;
  void setup(CLI::App& app) override;
  int run(const Streams& streams) override;

private:
  Options m_options;
};

}  // namespace allocgate
