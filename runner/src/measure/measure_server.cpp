// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/measure_server.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "measure/process_results.hpp"
#include "measure/proof.hpp"
#include "measure/quiet_server.hpp"
#include "measure/sample.hpp"
#include "measure/suite_listing.hpp"
#include "model/series.hpp"
#include "process/blindness.hpp"
#include "process/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <csignal>

namespace allocgate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds k_between_tries{50};
constexpr std::chrono::milliseconds k_between_looks{10};
constexpr std::chrono::milliseconds k_patience_without_server{1000};
constexpr std::chrono::milliseconds k_try_without_server{2000};
constexpr std::chrono::minutes k_default_load_timeout{5};
constexpr std::array<std::uint64_t, 3> k_windows = {1, 2, 3};
constexpr int k_shell_found_nothing = 127;

/// Why there are no counts, and whose doing it is, which decides what else there is to say.
struct Trouble {
  enum class Of { load, server, server_end };

  Failure failure;
  Of of = Of::load;
};

std::string with_iterations(std::string line, std::uint64_t iterations) {
  const std::string count = fmt::format("{}", iterations);
  for (std::size_t at = line.find(k_iterations_placeholder); at != std::string::npos;
       at = line.find(k_iterations_placeholder, at + count.size())) {
    line.replace(at, k_iterations_placeholder.size(), count);
  }
  return line;
}

std::string with_last_lines(std::string sentence, std::string_view whose, const std::string& lines) {
  return lines.empty() ? sentence : fmt::format("{}; {} last lines:\n{}", sentence, whose, lines);
}

std::string end_words(const LaunchOutcome& outcome) {
  return outcome.kind == LaunchOutcome::Kind::signalled ? fmt::format("it was ended by {}", signal_text(outcome.signal))
                                                        : fmt::format("it ended with exit code {}", outcome.exit_code);
}

/// One life of a server.
class ServerMeasurement {
public:
  ServerMeasurement(const std::vector<std::string>& command, const ServerLoad& load, const MeasureOptions& options,
                    Launcher& launcher)
      : m_command(command), m_load(load), m_options(options), m_launcher(launcher) {}

  CommandResult measure() {
    WorkloadResult& workload = m_result.workload;
    workload.name = fmt::format("{} during: {}", shell_quoted(m_command), m_load.during);
    workload.command = m_command;
    workload.iterations = m_load.iterations;
    const std::filesystem::path program = program_of(m_command, Environment::inherited());
    if (auto reason = reason_not_to_start(program)) {
      m_result.started = false;
      workload.status = WorkloadStatus::blind;
      workload.error = std::move(*reason);
      return std::move(m_result);
    }
    const bool answered_before = answers_without_server();
    std::optional<Trouble> trouble;
    {
      QuietServer server(m_command, m_options, m_launcher);
      trouble = measure_windows(server);
      m_result.outcome = server.stop();
    }
    finish(trouble, program, answered_before);
    return std::move(m_result);
  }

private:
  /// `server`, if there is one yet, may end meanwhile: then there is nothing to wait for.
  [[nodiscard]] LaunchOutcome shell(std::string line, std::chrono::milliseconds timeout, QuietServer* server) const {
    LaunchSpec spec;
    spec.argv = {"/bin/sh", "-c", std::move(line)};
    spec.environment = Environment::inherited().entries();
    spec.timeout = timeout;
    BackgroundLaunch running(m_launcher, spec);
    std::optional<Clock::time_point> server_ended;
    while (!running.ends_within(k_between_looks)) {
      if (!server_ended && server != nullptr && server->ends_within(std::chrono::milliseconds(0))) {
        server_ended = Clock::now();
      }
      if (server_ended && Clock::now() - *server_ended > k_patience_without_server) {
        break;
      }
    }
    return running.stop();
  }

  static bool succeeded(const LaunchOutcome& outcome) {
    return outcome.kind == LaunchOutcome::Kind::exited && outcome.exit_code == 0;
  }

  /// Then what answers later may not be this server, as when an older one still has its port.
  [[nodiscard]] bool answers_without_server() const {
    return succeeded(shell(m_load.ready, std::min(m_load.ready_timeout, k_try_without_server), nullptr));
  }

  static std::optional<Trouble> server_ended(std::string_view when) {
    return Trouble{{WorkloadStatus::failed, fmt::format("the server ended {}", when)}, Trouble::Of::server_end};
  }

  std::optional<Trouble> wait_until_ready(QuietServer& server) const {
    const Clock::time_point deadline = Clock::now() + m_load.ready_timeout;
    std::string last_lines;
    for (;;) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
      const LaunchOutcome tried = shell(m_load.ready, std::max(left, k_between_tries), &server);
      if (server.ends_within(std::chrono::milliseconds(0))) {
        return server_ended("before it was ready");
      }
      if (succeeded(tried)) {
        return std::nullopt;
      }
      if (tried.kind == LaunchOutcome::Kind::exited) {
        last_lines = tried.last_lines;  // the last try of all may have been cut off by the time limit
        if (tried.exit_code == k_shell_found_nothing) {
          return Trouble{{WorkloadStatus::failed,
                          with_last_lines(fmt::format("--ready '{}' cannot be run", m_load.ready), "its", last_lines)}};
        }
      }
      if (Clock::now() >= deadline) {
        return Trouble{{WorkloadStatus::failed,
                        fmt::format("the server was not ready within {}: '{}' did not succeed; give it more with "
                                    "--ready-timeout{}",
                                    duration_text(m_load.ready_timeout), m_load.ready,
                                    last_lines.empty() ? "" : "; its last lines:\n" + last_lines)},
                       Trouble::Of::server};
      }
      server.ends_within(k_between_tries);
    }
  }

  /// The load of `times` times N iterations, all of it.
  [[nodiscard]] std::optional<Trouble> run_load(QuietServer& server, std::uint64_t times) const {
    const bool takes_count = m_load.during.find(k_iterations_placeholder) != std::string::npos;
    const std::string line = with_iterations(m_load.during, times * m_load.iterations);
    const auto timeout = m_options.timeout.value_or(k_default_load_timeout);
    for (std::uint64_t run = 0; run < (takes_count ? 1 : times); ++run) {
      const LaunchOutcome outcome = shell(line, timeout, &server);
      if (outcome.kind == LaunchOutcome::Kind::timed_out) {
        return Trouble{{WorkloadStatus::timeout,
                        with_last_lines(fmt::format("the load '{}' did not end within {} and was ended; give it more "
                                                    "with --timeout",
                                                    line, duration_text(timeout)),
                                        "its", outcome.last_lines)}};
      }
      if (!succeeded(outcome)) {
        return Trouble{
            {WorkloadStatus::failed, with_last_lines(fmt::format("the load '{}' failed: {}", line, end_words(outcome)),
                                                     "its", outcome.last_lines)}};
      }
    }
    return std::nullopt;
  }

  std::optional<Trouble> measure_windows(QuietServer& server) {
    if (auto trouble = wait_until_ready(server)) {
      return trouble;
    }
    ServerReading before = server.read_when_quiet();
    m_quiet_at_first = before.quiet;
    if (!before.quiet) {
      m_idle_note = fmt::format(
          "the server allocates by itself: {} allocations in {} before any load; about as many are among those of a "
          "window as long",
          grouped(before.allocations_meanwhile), duration_text(before.waited));
    }
    if (auto trouble = take_window(server, 1, before, false)) {  // what happens once, on the first requests, is over
      return trouble;
    }
    for (const std::uint64_t times : k_windows) {
      if (auto trouble = take_window(server, times, before, true)) {
        return trouble;
      }
    }
    m_last = before.contents;
    return std::nullopt;
  }

  std::optional<Trouble> take_window(QuietServer& server, std::uint64_t times, ServerReading& before, bool counts) {
    auto trouble = run_load(server, times);
    if (server.ends_within(std::chrono::milliseconds(0))) {
      return server_ended("during the load");
    }
    if (trouble) {
      return trouble;
    }
    ServerReading after = server.read_when_quiet();
    if (server.ends_within(std::chrono::milliseconds(0))) {
      return server_ended("after the load");
    }
    if (!after.quiet && m_quiet_at_first) {
      return Trouble{{WorkloadStatus::failed,
                      fmt::format("the server was still allocating {} after the load had ended, so its counts are not "
                                  "whole",
                                  duration_text(after.waited))},
                     Trouble::Of::server};
    }
    if (counts) {
      add_window(times, before, after);
    }
    before = std::move(after);
    return std::nullopt;
  }

  void add_window(std::uint64_t times, const ServerReading& before, const ServerReading& after) {
    const std::uint64_t iterations = times * m_load.iterations;
    const RecordContents between = counted_between(before.contents, after.contents);
    const RecordCounters sum = sum_of(between.processes);
    for (const auto& [name, value] : measures_of(sum, between.usable_sizes)) {
      m_points[name].push_back({iterations, value});
    }
    m_points["open_fds"].push_back({iterations, opened_between(before, after)});
    m_allocations += sum.allocations;
    if (times != 1) {
      return;
    }
    m_result.workload.size_classes = sum.size_classes;
    LaunchOutcome running;
    running.kind = LaunchOutcome::Kind::not_found;  // says nothing of an end: it has none yet
    running.pid = between.processes.empty() ? 0 : between.processes.front().pid;
    m_result.workload.processes = process_results(running, between, m_command.front());
    for (ProcessResult& process : m_result.workload.processes) {
      process.measures.erase("peak_live_bytes");
    }
  }

  void finish(std::optional<Trouble> trouble, const std::filesystem::path& program, bool answered_before) {
    WorkloadResult& workload = m_result.workload;
    const LaunchOutcome& outcome = m_result.outcome;
    if (outcome.kind == LaunchOutcome::Kind::not_found || outcome.kind == LaunchOutcome::Kind::not_executable) {
      return;
    }
    if (!trouble) {
      LaunchOutcome without_end = outcome;
      without_end.last_name.clear();  // the counts are from before its end
      if (auto failure = failure_of_proof(without_end, m_last, program)) {
        trouble = Trouble{std::move(*failure)};
      }
    }
    if (trouble) {
      set_failure(*trouble, answered_before);
      return;
    }
    workload.notes = executable_notes(m_last);
    add_notes(answered_before);
    m_points.erase("peak_live_bytes");
    for (const auto& [name, points] : m_points) {
      if (auto series = make_series(name, std::span(&points, 1), m_load.iterations)) {
        workload.measures[name] = std::move(*series);
      }
    }
  }

  void set_failure(const Trouble& trouble, bool answered_before) {
    WorkloadResult& workload = m_result.workload;
    const LaunchOutcome& outcome = m_result.outcome;
    workload.status = trouble.failure.status;
    workload.error = trouble.failure.error;
    workload.processes.clear();
    workload.size_classes = {};
    if (trouble.of == Trouble::Of::server_end) {
      workload.error += ": " + end_words(outcome);
      if (outcome.exit_code == 0 && outcome.kind == LaunchOutcome::Kind::exited) {
        workload.error += "; a server that goes to the background is to stay in the foreground, as with 'daemon off;'";
      }
    }
    if (answered_before) {
      workload.error += "; --ready succeeded before the server was started: does another one have its port?";
    }
    if (trouble.of != Trouble::Of::load) {
      workload.error = with_last_lines(std::move(workload.error), "the server's", outcome.last_lines);
    }
  }

  void add_notes(bool answered_before) {
    std::vector<std::string>& notes = m_result.workload.notes;
    if (answered_before) {
      notes.emplace_back(
          "--ready succeeded before the server was started, so it proves nothing: another server may have answered");
    }
    if (!m_idle_note.empty()) {
      notes.push_back(m_idle_note);
    }
    if (m_allocations == 0) {
      notes.emplace_back("nothing was allocated in any window: did the load reach this server?");
    }
    if (m_result.outcome.kind == LaunchOutcome::Kind::signalled && m_result.outcome.signal == SIGKILL) {
      notes.emplace_back(
          "the server did not end in time after SIGTERM and was killed; its counts are from before that");
    }
  }

  const std::vector<std::string>& m_command;
  const ServerLoad& m_load;
  const MeasureOptions& m_options;
  Launcher& m_launcher;
  CommandResult m_result;
  std::map<std::string, ProcessPoints> m_points;
  RecordContents m_last;
  Count m_allocations = 0;
  bool m_quiet_at_first = true;
  std::string m_idle_note;
};

}  // namespace

CommandResult measure_server(const std::vector<std::string>& command, const ServerLoad& load,
                             const MeasureOptions& options, Launcher& launcher) {
  if (command.empty()) {
    throw Error(ExitCode::usage, "no server was given; write its command after `--`");
  }
  return ServerMeasurement(command, load, options, launcher).measure();
}

}  // namespace allocgate
