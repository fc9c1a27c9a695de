// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/built_options.hpp"
#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "model/matrix.hpp"

#include <string>
#include <vector>

namespace allocgate {

/// `allocgate matrix`: revisions x toolchains x other axes, built and measured, as a table with a conclusion.
class CommandMatrix final : public Command {
public:
  struct Options {
    std::vector<std::string> revisions;
    std::vector<std::string> axes;
    std::vector<std::string> allowed_failures;
    std::string threshold;
    BuiltOptions built;
    OutputOptions output;
  };

  [[nodiscard]] const Options& options() const { return m_options; }

  [[nodiscard]] const CommandHelp& help() const override;
  void setup(CLI::App& app) override;
  void check() override;
  [[nodiscard]] bool wants_command_line() const override { return true; }
  void take_command_line(std::vector<std::string> words) override { m_options.built.command = std::move(words); }
  int run(const Streams& streams) override;

private:
  Options m_options;
};

}  // namespace allocgate
