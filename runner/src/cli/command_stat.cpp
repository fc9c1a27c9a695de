// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_stat.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/installation.hpp"
#include "cli/measuring.hpp"
#include "cli/merge_results.hpp"
#include "cli/option_helpers.hpp"
#include "json/documents.hpp"
#include "report/stat_report.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <cstring>
#include <ostream>

namespace allocgate {

namespace {

constexpr int k_signal_base = 128;
constexpr unsigned k_most_samples = 10'000;

const CommandHelp k_help = {
    "stat",
    "counts a command and its children",
    "[OPTIONS] -- COMMAND [ARGUMENT...]",
    "Starts COMMAND once, counts every allocation of it and of the processes it starts, and prints the sums when it "
    "has ended. COMMAND keeps standard input and output, the terminal, and every other descriptor that is open, so "
    "that '<(...)' of a shell and the jobserver of make work. A program whose file says already that it cannot be "
    "counted "
    "is not started.\n\n"
    "Standard output is the command's own: the result goes to standard error, or with --output to a file. There is no "
    "warm-up, because commands have side effects; --samples starts COMMAND as often as asked. 'allocgate stat' ends as "
    "COMMAND ended; with --samples, as the first that did not end with 0.",
    {{"allocgate stat -- ls -l", "What does listing a folder allocate?"},
     {"allocgate stat --samples 5 --format json --output counts.json -- ./build.sh",
      "Five runs of a script with all its children, into a file for other programs."}},
    {{"N", "what COMMAND ended with; 128 + signal when a signal ended it"},
     {"64", "wrong use"},
     {"125",
      "COMMAND was not, or not wholly, counted (one sentence says why), timed out, or the result could not be "
      "written"},
     {"126", "COMMAND is not executable"},
     {"127", "COMMAND was not found"},
     {"130", "interrupted"}},
};

std::string ending_of(const LaunchOutcome& outcome) {
  const std::string time = duration_text(outcome.duration);
  if (outcome.kind == LaunchOutcome::Kind::signalled) {
    const char* name = ::sigabbrev_np(outcome.signal);
    return fmt::format("ended by signal {}{} after {} (with the hooks)", outcome.signal,
                       name == nullptr ? "" : fmt::format(" (SIG{})", name), time);
  }
  if (outcome.kind == LaunchOutcome::Kind::timed_out) {
    return fmt::format("ended by --timeout after {}", time);
  }
  return fmt::format("ended with {} after {} (with the hooks)", outcome.exit_code, time);
}

}  // namespace

int exit_status_of(const LaunchOutcome& outcome) {
  switch (outcome.kind) {
    case LaunchOutcome::Kind::exited:
      return outcome.exit_code;
    case LaunchOutcome::Kind::signalled:
      return k_signal_base + outcome.signal;
    case LaunchOutcome::Kind::timed_out:
      return static_cast<int>(ExitCode::stat_not_measured);
    case LaunchOutcome::Kind::not_found:
      return static_cast<int>(ExitCode::stat_not_found);
    case LaunchOutcome::Kind::not_executable:
      return static_cast<int>(ExitCode::stat_not_executable);
  }
  return static_cast<int>(ExitCode::stat_not_measured);
}

const CommandHelp& CommandStat::help() const {
  return k_help;
}

void CommandStat::setup(CLI::App& app) {
  app.add_option("--samples", m_options.samples, "How often COMMAND is started and counted")
      ->type_name("N")
      ->check(CLI::Range(1U, k_most_samples).description(""))
      ->capture_default_str();
  app.add_option("--level", m_options.level,
                 "What is counted: counts and requested bytes, or usable sizes, live bytes and peak too")
      ->type_name("counts|usable")
      ->check(CLI::IsMember({"counts", "usable"}).description(""))
      ->capture_default_str();
  app.add_option("--allocator", m_options.allocator,
                 "The allocator under the hooks: system, mimalloc, jemalloc, tcmalloc or a library's path")
      ->type_name("NAME|PATH")
      ->capture_default_str();
  app.add_flag("--no-children", m_options.no_children, "Count COMMAND alone, not the processes that it starts");
  add_seconds(app, "--timeout", m_options.timeout_seconds,
              "End COMMAND and its children after SECONDS (default: never)");
  m_options.output.setup(app, {"text", "json"});
}

void CommandStat::check() {
  if (m_options.command.empty()) {
    throw Error(ExitCode::usage, "there is no command to count: write it after '--', as in 'allocgate stat -- ls -l'");
  }
}

int CommandStat::exit_status_of(ExitCode code) const {
  switch (code) {
    case ExitCode::usage:
    case ExitCode::interrupted:
    case ExitCode::stat_not_executable:
    case ExitCode::stat_not_found:
      return static_cast<int>(code);
    default:
      return static_cast<int>(ExitCode::stat_not_measured);
  }
}

int CommandStat::run(const Streams& streams) {
  const Installation installation = own_installation();
  require_hooks(installation);
  MeasureOptions how;
  how.installation = installation;
  how.allocator = m_options.allocator;
  how.usable_sizes = m_options.level == "usable";
  how.follow_children = !m_options.no_children;
  how.timeout = timeout_of(m_options.timeout_seconds);

  PosixLauncher launcher;
  Result result;
  result.allocgate_version = std::string(version());
  result.started_at = now_text();
  std::optional<WorkloadResult> merged;
  int status = 0;
  std::string ending;
  for (unsigned sample = 0; sample < m_options.samples; ++sample) {
    const CommandResult measured = measure_command(m_options.command, how, launcher);
    if (!measured.started) {
      throw Error(ExitCode::blind, fmt::format("stat: {}", measured.workload.error));
    }
    result.duration_ns += measured.outcome.duration.count();
    if (measured.outcome.kind == LaunchOutcome::Kind::not_found ||
        measured.outcome.kind == LaunchOutcome::Kind::not_executable) {
      throw Error(static_cast<ExitCode>(allocgate::exit_status_of(measured.outcome)),
                  fmt::format("stat: cannot start {}", measured.outcome.reason));
    }
    if (merged) {
      merge_workload(*merged, measured.workload);
    } else {
      merged = measured.workload;
    }
    if (status == 0) {
      status = allocgate::exit_status_of(measured.outcome);
      ending = ending_of(measured.outcome);
    }
    if (measured.outcome.kind != LaunchOutcome::Kind::exited) {
      break;
    }
  }
  result.testbed = own_testbed(m_options.allocator, {});
  result.workloads.push_back(*merged);

  const std::string text =
      m_options.output.chosen_format() == Format::json
          ? result_to_json(result)
          : stat_report(*merged, ending, result_style(m_options.output, streams.err_is_terminal), k_report_width);
  // A blind program has no numbers: then the sentence below is all there is to say, except to a file that is read.
  if (!merged->measures.empty() || m_options.output.chosen_format() == Format::json) {
    deliver(text, m_options.output, streams.err);
  }
  if (merged->status == WorkloadStatus::blind || merged->status == WorkloadStatus::timeout) {
    streams.err << fmt::format("allocgate: stat: {}\n", merged->error);
    return static_cast<int>(ExitCode::stat_not_measured);
  }
  return status;
}

}  // namespace allocgate
