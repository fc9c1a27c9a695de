// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"
#include "cli/output_options.hpp"

#include <string>
#include <vector>

namespace allocgate {

/// `allocgate baseline show [SUITE...]`: the accepted values of one testbed.
class CommandBaselineShow final : public Command {
public:
  struct Options {
    std::vector<std::string> suites;
    std::string baseline;
    std::string config;
    std::string testbed;  // empty: this one
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
