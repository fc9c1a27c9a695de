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
#include "measure/measure_server.hpp"
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
constexpr std::uint64_t k_most_iterations = 1'000'000'000;
constexpr std::chrono::milliseconds k_ready_timeout{30'000};

const CommandHelp k_help = {
    "stat",
    "counts a command and its children",
    "[OPTIONS] -- COMMAND [ARGUMENT...]\n"
    "       allocgate stat --ready CMD --during CMD --iterations N -- SERVER...",
    "Starts COMMAND once, counts every allocation of it and of the processes it starts, and prints the sums when it "
    "has ended. COMMAND keeps standard input and output, the terminal, and every other descriptor that is open, so "
    "that '<(...)' of a shell and the jobserver of make work. A program whose file says already that it cannot be "
    "counted "
    "is not started.\n\n"
    "Standard output is the command's own: the result goes to standard error, or with --output to a file. There is no "
    "warm-up, because commands have side effects; --samples starts COMMAND as often as asked. 'allocgate stat' ends as "
    "COMMAND ended; with --samples, as the first that did not end with 0.\n\n"
    "With --ready and --during, COMMAND is a server that does not end by itself, unmodified and in the foreground: it "
    "is "
    "started under the hooks, --ready is run until it succeeds, and --during is the load, in which '{iterations}' "
    "stands for the number of requests (a load without it is run once, twice, three times). After one load that warms "
    "up come windows of N, 2 N and 3 N requests, each from one moment in which no process of the server allocates to "
    "the next, so that what a request costs and what happens once are told apart. Then the server is ended, by SIGTERM "
    "and after 5 s by SIGKILL. Neither --ready nor --during is counted.",
    {{"allocgate stat -- ls -l", "What does listing a folder allocate?"},
     {"allocgate stat --samples 5 --format json --output counts.json -- ./build.sh",
      "Five runs of a script with all its children, into a file for other programs."},
     {"allocgate stat --ready 'redis-cli ping' --iterations 1000 \\\n"
      "      --during 'redis-benchmark -q -t get -c 1 -n {iterations}' -- redis-server",
      "What does redis allocate for a GET?"}},
    {{"N", "what COMMAND ended with; 128 + signal when a signal ended it; 0 for a server that was counted"},
     {"64", "wrong use"},
     {"125",
      "COMMAND was not, or not wholly, counted (one sentence says why), timed out, or the result could not be "
      "written; the server was not ready in time or ended, or the load failed"},
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
              "End COMMAND and its children after SECONDS (default: never); of a server: each load (default: 300)");
  app.add_option("--ready", m_options.ready, "A shell line that succeeds once the server COMMAND can be asked")
      ->type_name("CMD");
  app.add_option("--during", m_options.during, "A shell line that makes '{iterations}' requests to the server")
      ->type_name("CMD");
  app.add_option("--iterations", m_options.iterations, "Requests of the first window; the others have 2 N and 3 N")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, k_most_iterations).description(""));
  add_seconds(app, "--ready-timeout", m_options.ready_timeout_seconds,
              "Give up after SECONDS in which the server did not get ready (default: 30)");
  m_options.output.setup(app, {"text", "json"});
}

void CommandStat::check() {
  if (m_options.command.empty()) {
    throw Error(ExitCode::usage, "there is no command to count: write it after '--', as in 'allocgate stat -- ls -l'");
  }
  const bool any = m_options.is_server() || m_options.iterations != 0 || m_options.ready_timeout_seconds > 0;
  if (any && (m_options.ready.empty() || m_options.during.empty() || m_options.iterations == 0)) {
    throw Error(ExitCode::usage,
                "--ready, --during and --iterations belong together: when the server can be asked, what is asked, and "
                "how often, as in --ready 'curl -s localhost:8080' --during './load {iterations}' --iterations 1000");
  }
}

int status_of_own_failure(ExitCode code) {
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

CommandResult CommandStat::measure_once(const MeasureOptions& how, Launcher& launcher) const {
  if (!m_options.is_server()) {
    return measure_command(m_options.command, how, launcher);
  }
  ServerLoad load;
  load.ready = m_options.ready;
  load.during = m_options.during;
  load.iterations = m_options.iterations;
  load.ready_timeout = timeout_of(m_options.ready_timeout_seconds).value_or(k_ready_timeout);
  return measure_server(m_options.command, load, how, launcher);
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
    const CommandResult measured = measure_once(how, launcher);
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
    if (m_options.is_server()) {
      ending = fmt::format("the server was ended after {} (with the hooks)", duration_text(measured.outcome.duration));
    } else if (status == 0) {
      status = allocgate::exit_status_of(measured.outcome);
      ending = ending_of(measured.outcome);
    }
    const bool ended_early = !m_options.is_server() && measured.outcome.kind != LaunchOutcome::Kind::exited;
    if (ended_early || measured.workload.status == WorkloadStatus::failed) {
      break;
    }
  }
  if (!m_options.is_server() && merged->status == WorkloadStatus::ok) {
    // A signal to a command in the foreground was the command's own affair: we end as it ended. Where it was not
    // counted whole, as when the signal came in the middle of an exec, the signal is the reason.
    forget_interrupts();
  }
  throw_if_interrupted();
  result.testbed = own_testbed(m_options.allocator, {});
  result.workloads.push_back(*merged);
  deliver_result(result, ending, streams);
  if (merged->status != WorkloadStatus::ok) {
    streams.err << fmt::format("allocgate: stat: {}\n", merged->error);
    return static_cast<int>(ExitCode::stat_not_measured);
  }
  return status;
}

void CommandStat::deliver_result(const Result& result, const std::string& ending, const Streams& streams) const {
  const WorkloadResult& workload = result.workloads.front();
  const bool json = m_options.output.chosen_format() == Format::json;
  // A blind program has no numbers: then the sentence on why is all there is to say, except to a file that is read.
  if (workload.measures.empty() && !json) {
    return;
  }
  const Style style = result_style(m_options.output, streams.err_is_terminal);
  std::string text;
  if (json) {
    text = result_to_json(result);
  } else if (m_options.is_server()) {
    text = server_report(workload, m_options.during, ending, style, k_report_width);
  } else {
    text = stat_report(workload, ending, style, k_report_width);
  }
  deliver(text, m_options.output, streams.err);
}

}  // namespace allocgate
