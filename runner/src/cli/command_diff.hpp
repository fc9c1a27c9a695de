// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "cli/recording_options.hpp"

#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// `allocgate diff BEFORE AFTER`: which code allocates more or less than before.
class CommandDiff final : public Command {
public:
  struct Options {
    std::vector<std::string> files;
    RecordingOptions recording;
    bool per_iteration = false;
    bool no_pair = false;
    std::optional<Count> min_delta;
    std::optional<Count> fail_on_increase;
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
