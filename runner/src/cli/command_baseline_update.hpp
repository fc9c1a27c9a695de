// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "baselines/baseline_store.hpp"
#include "cli/baseline_updates.hpp"
#include "cli/command.hpp"
#include "cli/configuration.hpp"
#include "cli/measuring_options.hpp"
#include "cli/output_options.hpp"
#include "model/result.hpp"

#include <string>
#include <vector>

namespace allocgate {

/// `allocgate baseline update`: accepts what is measured, with a reason, and shows the difference that it makes.
class CommandBaselineUpdate final : public Command {
public:
  struct Options {
    std::string reason;
    std::vector<std::string> from;
    std::string matrix;
    std::string revision;  // of the matrix
    std::string baseline;
    std::vector<std::string> accept_leak;
    std::vector<std::string> accept_blind;
    std::vector<std::string> accept_unstable;
    std::string threshold;
    bool remove_missing = false;
    bool dry_run = false;
    bool with_stacks = false;
    MeasuringOptions measuring;
    OutputOptions output;
  };

  [[nodiscard]] const Options& options() const { return m_options; }

  [[nodiscard]] const CommandHelp& help() const override;
  void setup(CLI::App& app) override;
  void check() override;
  int run(const Streams& streams) override;

private:
  /// Records the call stacks of every entry that was just measured, and puts their names into it.
  void keep_stacks(const Result& result, const LoadedConfiguration& configuration, const BaselineStore& store,
                   std::vector<BaselineUpdate>& updates, const Streams& streams) const;
  /// What is accepted, one a testbed.
  [[nodiscard]] std::vector<Result> results(const LoadedConfiguration& configuration, const Streams& streams) const;

  Options m_options;
};

}  // namespace allocgate
