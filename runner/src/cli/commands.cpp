// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/commands.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command_baseline_import.hpp"
#include "cli/command_baseline_list.hpp"
#include "cli/command_baseline_prune.hpp"
#include "cli/command_baseline_show.hpp"
#include "cli/command_baseline_update.hpp"
#include "cli/command_bisect.hpp"
#include "cli/command_check.hpp"
#include "cli/command_compare.hpp"
#include "cli/command_diff.hpp"
#include "cli/command_doctor.hpp"
#include "cli/command_init.hpp"
#include "cli/command_list.hpp"
#include "cli/command_matrix.hpp"
#include "cli/command_record.hpp"
#include "cli/command_report.hpp"
#include "cli/command_run.hpp"
#include "cli/command_stacks.hpp"
#include "cli/command_stat.hpp"

#include <fmt/format.h>

#include <array>

namespace allocgate {

namespace {

template <typename T>
std::unique_ptr<Command> make() {
  return std::make_unique<T>();
}

constexpr auto k_commands = std::to_array<CommandEntry>({
    {"stat", make<CommandStat>},
    {"run", make<CommandRun>},
    {"check", make<CommandCheck>},
    {"compare", make<CommandCompare>},
    {"record", make<CommandRecord>},
    {"stacks", make<CommandStacks>},
    {"diff", make<CommandDiff>},
    {"bisect", make<CommandBisect>},
    {"matrix", make<CommandMatrix>},
    {"report", make<CommandReport>},
    {"baseline update", make<CommandBaselineUpdate>},
    {"baseline show", make<CommandBaselineShow>},
    {"baseline list", make<CommandBaselineList>},
    {"baseline import", make<CommandBaselineImport>},
    {"baseline prune", make<CommandBaselinePrune>},
    {"list", make<CommandList>},
    {"init", make<CommandInit>},
    {"doctor", make<CommandDoctor>},
});

std::string_view first_word(std::string_view name) {
  return name.substr(0, name.find(' '));
}

}  // namespace

std::span<const CommandEntry> all_commands() {
  return k_commands;
}

bool is_family(std::string_view word) {
  for (const CommandEntry& entry : k_commands) {
    if (entry.name.size() > word.size() && first_word(entry.name) == word) {
      return true;
    }
  }
  return false;
}

FoundCommand find_command(std::span<const std::string> arguments) {
  const std::string& first = arguments.front();
  const bool family = is_family(first);
  const std::string name = family && arguments.size() > 1 ? first + " " + arguments[1] : first;
  std::vector<std::string> candidates;
  for (const CommandEntry& entry : k_commands) {
    if (entry.name == name) {
      return {entry.make(), family ? std::size_t{2} : std::size_t{1}};
    }
    if (!family || first_word(entry.name) == first) {
      candidates.emplace_back(family ? entry.name : first_word(entry.name));
    }
  }
  throw Error(ExitCode::usage, fmt::format("there is no command '{}'{}; 'allocgate {}--help' lists the commands", name,
                                           did_you_mean(name, candidates), family ? first + " " : std::string()));
}

}  // namespace allocgate
