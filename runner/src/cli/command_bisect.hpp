// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/bisecting.hpp"
#include "cli/built_options.hpp"
#include "cli/command.hpp"
#include "cli/output_options.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace allocgate {

/// `allocgate bisect --good REV --bad REV`: which commits, or toolchains, changed what a workload counts.
class CommandBisect final : public Command {
public:
  struct Options {
    SearchEnds ends;
    CommitSearch search;
    std::string along = "commits";
    std::string revision;  // with `along` toolchain
    std::string threshold;
    std::size_t grid = 1;
    bool stacks = false;
    BuiltOptions built;
    OutputOptions output;

    [[nodiscard]] bool along_toolchains() const { return along == "toolchain"; }
  };

  [[nodiscard]] const Options& options() const { return m_options; }

  [[nodiscard]] const CommandHelp& help() const override;
  void setup(CLI::App& app) override;
  void check() override;
  [[nodiscard]] bool wants_command_line() const override { return true; }
  void take_command_line(std::vector<std::string> words) override { m_options.built.command = std::move(words); }
  int run(const Streams& streams) override;

private:
  [[nodiscard]] Bisection search(const Streams& streams) const;

  Options m_options;
};

}  // namespace allocgate
