// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"
#include "cli/output_options.hpp"

#include <string>
#include <vector>

namespace allocgate {

/// `allocgate report RESULT`: a result, or what `check` judged of it, in another format; nothing is measured or judged.
class CommandReport final : public Command {
public:
  struct Options {
    std::string result;
    std::string judgement;  // what check --format json wrote; empty: the result alone
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
