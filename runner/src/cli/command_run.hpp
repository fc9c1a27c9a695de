// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"
#include "cli/measuring_options.hpp"
#include "cli/output_options.hpp"

namespace allocgate {

/// `allocgate run [NAME...]`: measures workloads and shows what they allocate.
class CommandRun final : public Command {
public:
  struct Options {
    MeasuringOptions measuring;
    OutputOptions output;
    bool no_hooks = false;
    bool details = false;
    unsigned repeat = 1;
  };

  [[nodiscard]] const Options& options() const { return m_options; }

  [[nodiscard]] const CommandHelp& help() const override;
  void setup(CLI::App& app) override;
  int run(const Streams& streams) override;

private:
  Options m_options;
};

}  // namespace allocgate
