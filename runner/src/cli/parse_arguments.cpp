// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace allocgate {

namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

[[noreturn]] void refuse(const Command& command, const std::string& what) {
  const std::string name(command.help().name);
  throw Error(ExitCode::usage, fmt::format("{}: {}; 'allocgate {} --help' says what it takes", name, what, name));
}

void refuse_what_is_left(const Command& command, const CLI::App& app, const std::vector<std::string>& left) {
  const std::string& first = left.front();
  if (first.size() > 1 && first.front() == '-') {
    const std::string name = first.substr(0, first.find('='));
    refuse(command, fmt::format("there is no option '{}'{}", name, did_you_mean(name, option_names(app))));
  }
  refuse(command, fmt::format("one argument too many: '{}'", first));
}

}  // namespace

ParsedAs parse_arguments(Command& command, const std::vector<std::string>& arguments) {
  CLI::App app;
  app.set_help_flag("-h,--help", "Print this page");
  command.setup(app);
  app.allow_extras();

  // What comes after `--` belongs to someone else's command line: CLI11 never sees it.
  auto end_of_own = arguments.end();
  if (command.wants_command_line()) {
    app.prefix_command();
    end_of_own = std::find(arguments.begin(), arguments.end(), "--");
  }
  try {
    // CLI11 takes its arguments from the back.
    app.parse(std::vector<std::string>(std::make_reverse_iterator(end_of_own),
                                       std::make_reverse_iterator(arguments.begin())));
  } catch (const CLI::CallForHelp&) {
    return ParsedAs::help_wanted;
  } catch (const CLI::ParseError& error) {
    refuse(command, error.what());
  }

  std::vector<std::string> left = app.remaining();
  const bool separated = end_of_own != arguments.end();
  const bool command_line_began =
      command.wants_command_line() && !separated && !left.empty() && left.front().substr(0, 1) != "-";
  if (!left.empty() && !command_line_began) {
    refuse_what_is_left(command, app, left);
  }
  if (command.wants_command_line()) {
    if (separated) {
      left.assign(end_of_own + 1, arguments.end());
    }
    command.take_command_line(std::move(left));
  }
  try {
    command.check();
  } catch (const Error& error) {
    refuse(command, error.what());
  }
  return ParsedAs::to_run;
}

}  // namespace allocgate
