// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/built_options.hpp"
#include "cli/command.hpp"
#include "cli/output_options.hpp"
#include "cli/recording_options.hpp"
#include "stacks/recording.hpp"

#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// `allocgate diff BEFORE AFTER`, or `diff --rev A --rev B`: which code allocates more or less than before.
class CommandDiff final : public Command {
public:
  struct Options {
    std::vector<std::string> files;
    std::vector<std::string> revisions;  // two, instead of files
    BuiltOptions built;                  // of revisions
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
  [[nodiscard]] bool wants_command_line() const override { return true; }
  void take_command_line(std::vector<std::string> words) override { m_options.built.command = std::move(words); }
  int run(const Streams& streams) override;

private:
  /// The two sides, and what they are called.
  struct Sides {
    Recording before;
    Recording after;
    std::vector<std::string> names;
  };
  [[nodiscard]] Sides sides(const Streams& streams) const;
  [[nodiscard]] Sides revisions(const Streams& streams) const;
  void check_sides() const;

  Options m_options;
};

}  // namespace allocgate
