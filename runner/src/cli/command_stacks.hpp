// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "cli/recording_options.hpp"
#include "stacks/listing.hpp"

#include <limits>
#include <string>

namespace allocgate {

/// `allocgate stacks FILE`: one recording, as a list, a tree or another format.
class CommandStacks final : public Command {
public:
  struct Options {
    std::string file;
    RecordingOptions recording;
    bool callers = false;
    bool callees = false;
    Count least = std::numeric_limits<Count>::min();
    OutputOptions output;
  };

  [[nodiscard]] const Options& options() const { return m_options; }

  [[nodiscard]] const CommandHelp& help() const override;
  void setup(CLI::App& app) override;
  void check() override;
  int run(const Streams& streams) override;

private:
  std::string exported(Recording& recording, const ListingOptions& listing) const;
  std::string shown(Recording& recording, const ListingOptions& listing, const Streams& streams) const;

  Options m_options;
};

}  // namespace allocgate
