// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/built_options.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/option_helpers.hpp"
#include "model/measure.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <optional>
#include <set>

namespace allocgate {

namespace {

/// The words of `text` as a POSIX shell splits them, without any expansion; nothing for an open quote.
std::optional<std::vector<std::string>> shell_words(const std::string& text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char character = text[i];
    const bool is_blank = quote == 0 && (character == ' ' || character == '\t' || character == '\n');
    if (is_blank) {
      in_word = false;
      continue;
    }
    if (!in_word) {
      words.emplace_back();
      in_word = true;
    }
    if (quote == 0 && (character == '\'' || character == '"')) {
      quote = character;
    } else if (quote != 0 && character == quote) {
      quote = 0;
    } else if (character == '\\' && quote != '\'' && i + 1 < text.size()) {
      words.back() += text[++i];
    } else {
      words.back() += character;
    }
  }
  return quote == 0 ? std::optional(words) : std::nullopt;
}

bool is_variable_name(const std::string& name) {
  return !name.empty() &&
         name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

}  // namespace

std::string NamedVariables::in_words() const {
  std::vector<std::string> words;
  for (const auto& [variable, value] : variables) {
    words.push_back(fmt::format("{}={}", variable, shell_quoted(value)));
  }
  return joined(words, " ");
}

NamedVariables parse_named_variables(const std::string& option, const std::string& text) {
  const auto refuse = [&](const std::string& what) {
    return Error(ExitCode::usage, fmt::format("{} '{}': {}; write NAME=VARIABLE=VALUE ..., as in {} "
                                              "'gcc11=CC=gcc-11 CXX=g++-11'",
                                              option, text, what, option));
  };
  const std::size_t end = text.find('=');
  if (end == std::string::npos || end == 0) {
    throw refuse("it has no name");
  }
  NamedVariables named;
  named.name = text.substr(0, end);
  const std::optional<std::vector<std::string>> words = shell_words(text.substr(end + 1));
  if (!words) {
    throw refuse("a quote is not closed");
  }
  for (const std::string& word : *words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || !is_variable_name(word.substr(0, equals))) {
      throw refuse(fmt::format("'{}' sets no variable", word));
    }
    named.variables[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return named;
}

std::vector<NamedVariables> parse_named_variables(const std::string& option, const std::vector<std::string>& texts) {
  std::vector<NamedVariables> all;
  std::set<std::string> names;
  for (const std::string& text : texts) {
    all.push_back(parse_named_variables(option, text));
    if (!names.insert(all.back().name).second) {
      throw Error(ExitCode::usage, fmt::format("{}: there are two of the name '{}'", option, all.back().name));
    }
  }
  return all;
}

void BuiltOptions::setup(CLI::App& app, const char* jobs_are) {
  app.add_option("--measure", measure, "The measure that is followed")->type_name("MEASURE")->capture_default_str();
  add_repeatable(app, "--toolchain", toolchains, "NAME=VARIABLE=VALUE...",
                 "A toolchain by the variables that a build gets: 'gcc11=CC=gcc-11 CXX=g++-11'");
  setup_build(app, jobs_are);
}

void BuiltOptions::setup_build(CLI::App& app, const char* jobs_are) {
  add_repeatable(app, "--workload", workloads, "NAME", "Measure this workload");
  build.setup(app);
  app.add_option("--setup", setup_line, "A shell line for each new work tree, before its first build")
      ->type_name("CMD");
  measuring.setup(app, jobs_are);
}

void BuiltOptions::check() const {
  if (workloads.empty() == command.empty()) {
    throw Error(ExitCode::usage, command.empty()
                                     ? "it needs something to measure: --workload NAME, or a command after '--'"
                                     : "--workload and a command after '--' exclude each other");
  }
  if (!command.empty() && !measuring.suites.empty()) {
    throw Error(ExitCode::usage, "--suite goes with --workload, not with a command after '--'");
  }
  static_cast<void>(parse_named_variables("--toolchain", toolchains));
}

bool BuiltOptions::any() const {
  return !workloads.empty() || !command.empty() || !setup_line.empty() || build.any() || measuring.any();
}

BuildPlan BuiltOptions::plan(const LoadedConfiguration& configuration, const std::string& command_name) const {
  BuildPlan plan = build.plan(configuration, command_name);
  plan.setup = setup_line;
  plan.jobs = measuring.jobs;
  return plan;
}

LoadedConfiguration BuiltOptions::configuration_of(const LoadedConfiguration& here,
                                                   const Repository& repository) const {
  if (command.empty()) {
    return here;
  }
  LoadedConfiguration with_command = here;
  with_command.file = repository.top() / k_configuration_file;  // so it starts at the root
  with_command.configuration.suites.clear();
  ConfiguredWorkload workload;
  workload.name = shell_quoted(command);
  workload.command = command;
  with_command.configuration.workloads = {workload};
  return with_command;
}

MeasuringOptions BuiltOptions::named_measuring() const {
  MeasuringOptions named = measuring;
  named.jobs = 1;  // they are of builds here
  named.names = command.empty() ? workloads : std::vector{shell_quoted(command)};
  return named;
}

}  // namespace allocgate
