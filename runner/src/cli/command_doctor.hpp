// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"
#include "cli/output_options.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace allocgate {

/// `allocgate doctor`: what works here, and what to install or do where it does not.
class CommandDoctor final : public Command {
public:
  struct Options {
    std::string baseline;
    std::optional<std::uint64_t> probe;  // makes that many allocations and ends: the program that doctor itself counts
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
