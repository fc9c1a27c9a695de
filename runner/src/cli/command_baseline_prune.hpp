// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"
#include "cli/measuring_options.hpp"
#include "cli/output_options.hpp"

#include <string>
#include <vector>

namespace allocgate {

/// `allocgate baseline prune`: removes entries whose workload is no longer there; nothing is measured.
class CommandBaselinePrune final : public Command {
public:
  struct Options {
    std::vector<std::string> gone;  // suites that are to go as a whole, because no program has them any more
    std::string reason;
    std::string baseline;
    bool all_testbeds = false;
    bool dry_run = false;
    MeasuringOptions measuring;  // of which the suites alone
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
