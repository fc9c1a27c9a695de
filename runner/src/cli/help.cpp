// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/help.hpp"

#include "cli/commands.hpp"
#include "report/text_width.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace allocgate {

namespace {

constexpr std::size_t k_width = 80;
constexpr std::size_t k_option_column = 26;
constexpr std::size_t k_command_column = 19;

/// `left` and, from `column` on, the wrapped `right`; `right` begins on a line of its own where `left` is too long.
std::string two_columns(std::string_view left, std::string_view right, std::size_t column) {
  std::string text = "  " + std::string(left);
  const std::size_t width = display_width(text);
  if (width + 2 > column) {
    return text + "\n" + wrapped(right, column, k_width, column);
  }
  return text + wrapped(right, column, k_width, column - width);
}

std::string option_label(const CLI::Option& option) {
  std::string label;
  for (const std::string& name : option.get_snames()) {
    label += (label.empty() ? "-" : ", -") + name;
  }
  for (const std::string& name : option.get_lnames()) {
    label += (label.empty() ? "    --" : ", --") + name;
  }
  if (option.get_positional()) {
    return option.get_name(true);
  }
  return option.get_type_name().empty() ? label : label + " " + option.get_type_name();
}

std::string option_lines(const CLI::App& app, bool positional) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() != positional || option->get_group().empty()) {
      continue;
    }
    std::string description = option->get_description();
    if (!option->get_default_str().empty()) {
      description += fmt::format(" (default: {})", option->get_default_str());
    }
    text += two_columns(option_label(*option), description, k_option_column);
  }
  return text;
}

std::string example_lines(std::span<const HelpExample> examples) {
  std::string text;
  for (const HelpExample& example : examples) {
    text += fmt::format("  $ {}\n", example.command_line);
    text += wrapped(example.what, 6, k_width, 6);
  }
  return text;
}

std::string exit_code_lines(std::span<const HelpExitCode> codes) {
  std::string text;
  for (const HelpExitCode& code : codes) {
    text += two_columns(code.code, code.meaning, 9);
  }
  return text;
}

constexpr auto k_overview_examples = std::to_array<HelpExample>({
    {"allocgate stat -- ls -l", "Counts the allocations of a command and of its children."},
    {"allocgate run 'asio/*'", "Measures the workloads whose names begin with asio/."},
    {"allocgate check", "Measures all workloads and compares them with this testbed's baseline."},
    {"allocgate baseline update --reason 'one buffer a request less'", "Accepts what is measured now."},
});

constexpr auto k_all_exit_codes = std::to_array<HelpExitCode>({
    {"0", "fine"},
    {"1", "internal error, or a file could not be written"},
    {"2", "regression, or leak"},
    {"3", "a workload could not be measured, or is unstable where exact was declared"},
    {"4", "only improvements, with --on-improvement fail"},
    {"5", "no baseline for this testbed"},
    {"6", "blind: what ran was not, or not wholly, counted"},
    {"7", "not comparable: a field differs on which the counts depend"},
    {"64", "wrong use"},
    {"65", "unreadable input"},
    {"130", "interrupted"},
    {"",
     "Several at once: 2 over 3 over 6 over 7 over 5 over 4. 'stat' ends as its command ended, with 125 to 127 for "
     "its own failures."},
});

constexpr auto k_environment = std::to_array<HelpExitCode>({
    {"ALLOCGATE_HOOKS", "the hooks library to preload, instead of the one beside the command"},
    {"ALLOCGATE_RECORD_DIR", "where the record of a measurement lies while it runs"},
    {"NO_COLOR", "no colour, as --color never"},
    {"CLICOLOR_FORCE", "colour also where the output is not a terminal"},
});

std::string command_lines(std::string_view family) {
  std::string text;
  for (const CommandEntry& entry : all_commands()) {
    if (family.empty() || entry.name.substr(0, family.size() + 1) == std::string(family) + " ") {
      text += two_columns(entry.name, entry.make()->help().summary, k_command_column);
    }
  }
  return text;
}

}  // namespace

std::string command_help(Command& command) {
  CLI::App app;
  app.set_help_flag("-h,--help", "Print this page");
  command.setup(app);
  const CommandHelp& help = command.help();

  std::string text =
      fmt::format("allocgate {}: {}\n\nUsage: allocgate {} {}\n\n", help.name, help.summary, help.name, help.synopsis);
  text += wrapped(help.description, 0, k_width, 0);
  const std::string positionals = option_lines(app, true);
  if (!positionals.empty()) {
    text += "\nArguments:\n" + positionals;
  }
  text += "\nOptions:\n" + option_lines(app, false);
  text += "\nExamples:\n" + example_lines(help.examples);
  text += "\nExit codes:\n" + exit_code_lines(help.exit_codes);
  return text;
}

std::string overview_help() {
  std::string text =
      "allocgate: counts the heap allocations of a program exactly and gates changes\n\n"
      "Usage: allocgate COMMAND [OPTIONS] ...\n"
      "       allocgate COMMAND --help\n"
      "       allocgate --version\n\n"
      "Commands:\n";
  text += command_lines("");
  text += "\nResults go to standard output, everything else to standard error.\n";
  text += "\nExamples:\n" + example_lines(k_overview_examples);
  text += "\nExit codes:\n" + exit_code_lines(k_all_exit_codes);
  text += "\nEnvironment:\n";
  for (const HelpExitCode& variable : k_environment) {
    text += two_columns(variable.code, variable.meaning, k_option_column);
  }
  return text;
}

std::string family_help(std::string_view family) {
  return fmt::format(
      "Usage: allocgate {0} COMMAND [OPTIONS] ...\n\nCommands:\n{1}\n'allocgate {0} COMMAND --help' says more.\n",
      family, command_lines(family));
}

}  // namespace allocgate
