// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"
#include "cli/measuring_options.hpp"
#include "cli/output_options.hpp"

namespace allocgate {

/// `allocgate list [NAME...]`: the workloads and what they exercise.
class CommandList final : public Command {
public:
  struct Options {
    MeasuringOptions measuring;  // names, suites, allocator and iterations only
    bool commands = false;
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
