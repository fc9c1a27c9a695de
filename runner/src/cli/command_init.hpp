// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"

#include <string>
#include <vector>

namespace allocgate {

/// `allocgate init`: writes allocgate.json and what CI needs, and says what comes next.
class CommandInit final : public Command {
public:
  struct Options {
    std::vector<std::string> build_folders;
    std::string ci;  // github, gitlab; empty: printed
    bool force = false;
  };

  [[nodiscard]] const Options& options() const { return m_options; }

  [[nodiscard]] const CommandHelp& help() const override;
  void setup(CLI::App& app) override;
  int run(const Streams& streams) override;

private:
  Options m_options;
};

}  // namespace allocgate
