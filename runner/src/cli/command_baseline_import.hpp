// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"
#include "cli/output_options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace allocgate {

/// `allocgate baseline import FILE...`: values and limits that other tools keep, as a baseline of this testbed.
class CommandBaselineImport final : public Command {
public:
  struct Options {
    std::vector<std::string> files;
    std::string format;  // empty: guessed from each file
    std::string suite = "swift-nio";
    std::uint64_t iterations = 1;
    std::string threshold;
    std::string reason;  // empty: the names of the files
    std::string baseline;
    bool dry_run = false;
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
