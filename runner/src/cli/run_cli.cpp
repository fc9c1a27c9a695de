// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/run_cli.hpp"

#include "base/error.hpp"
#include "base/version.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/output_options.hpp"
#include "process/interrupt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <optional>

#include <unistd.h>
#include <csignal>

namespace allocgate {

namespace {

bool wants_help(const std::string& word) {
  return word == "--help" || word == "-h" || word == "help";
}

/// Pages that belong to no command. Nothing when `arguments` begin with a command to run.
std::optional<std::string> page_of(const std::vector<std::string>& arguments) {
  const std::string& first = arguments.front();
  if (first == "--version" || first == "-V") {
    return fmt::format("allocgate {}\n", version());
  }
  if (first == "help" && arguments.size() > 1) {
    std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
    if (is_family(rest.front()) && rest.size() == 1) {
      return family_help(rest.front());
    }
    return command_help(*find_command(rest).command);
  }
  if (wants_help(first)) {
    return overview_help();
  }
  if (is_family(first) && arguments.size() > 1 && wants_help(arguments[1])) {
    return family_help(first);
  }
  return std::nullopt;
}

int run_command(std::unique_ptr<Command>& command, const std::vector<std::string>& arguments, const Streams& streams) {
  if (arguments.empty()) {
    streams.err << overview_help();
    return static_cast<int>(ExitCode::usage);
  }
  if (const std::optional<std::string> page = page_of(arguments)) {
    deliver(*page, {}, streams.out);
    return static_cast<int>(ExitCode::fine);
  }
  if (is_family(arguments.front()) && arguments.size() == 1) {
    streams.err << family_help(arguments.front());
    return static_cast<int>(ExitCode::usage);
  }
  FoundCommand found = find_command(arguments);
  command = std::move(found.command);
  const auto words = static_cast<std::ptrdiff_t>(found.words);
  const std::vector<std::string> rest(arguments.begin() + words, arguments.end());
  command->see_words(rest);
  if (parse_arguments(*command, rest) == ParsedAs::help_wanted) {
    deliver(command_help(*command), {}, streams.out);
    return static_cast<int>(ExitCode::fine);
  }
  // What has something to clean up makes a scope of its own, in which an interrupt is remembered.
  const InterruptScope interrupts(InterruptScope::Means::end_now);
  const int status = command->run(streams);
  throw_if_interrupted();
  return status;
}

void on_write_failure(int /*signal*/) {}

/// A closed pipe and a full file are errors of write(), so that records are removed and a message can be given. A
/// handler instead of SIG_IGN, because programs that are started inherit what is ignored but not what is handled.
void turn_write_signals_into_errors() {
  struct sigaction action {};
  action.sa_handler = on_write_failure;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) {
      ::sigaction(signal, &action, nullptr);
    }
  }
}

}  // namespace

int run_cli(const std::vector<std::string>& arguments, const Streams& streams) {
  std::unique_ptr<Command> command;
  // A mistyped command must not be a bad commit either.
  const bool for_bisect = std::find(arguments.begin(), arguments.end(), "--bisect") != arguments.end();
  const auto status_of = [&command, for_bisect](ExitCode code) {
    return command ? command->exit_status_of(code) : for_bisect ? bisect_status(code) : static_cast<int>(code);
  };
  try {
    return run_command(command, arguments, streams);
  } catch (const Error& error) {
    streams.err << "allocgate: " << error.what() << std::endl;
    return status_of(error.code());
  } catch (const std::bad_alloc&) {
    streams.err << "allocgate: out of memory; measure fewer workloads at once, or with fewer --jobs" << std::endl;
    return status_of(ExitCode::internal_error);
  } catch (const std::exception& error) {
    streams.err << "allocgate: internal error: " << error.what() << "; please report it with the command line"
                << std::endl;
    return status_of(ExitCode::internal_error);
  }
}

int run_cli(int argc, char** argv) {
  turn_write_signals_into_errors();
  Streams streams{std::cout, std::cerr, ::isatty(STDOUT_FILENO) == 1, ::isatty(STDERR_FILENO) == 1};
  if (argc > 0 && std::string_view(argv[0]).find('/') != std::string_view::npos) {
    streams.program = argv[0];
  }
  return run_cli(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc), streams);
}

}  // namespace allocgate
