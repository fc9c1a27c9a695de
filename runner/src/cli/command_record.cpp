// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_record.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/command_stat.hpp"
#include "cli/configuration.hpp"
#include "cli/installation.hpp"
#include "cli/measuring.hpp"
#include "cli/option_helpers.hpp"
#include "cli/output_options.hpp"
#include "recordings/formats.hpp"
#include "report/record_report.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <ostream>

#include <unistd.h>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

constexpr const char* k_default_output = "allocgate.pb.gz";
constexpr std::uint64_t k_most_sample_bytes = std::uint64_t{1} << 40U;
constexpr unsigned k_default_sites = 10;
constexpr unsigned k_most_sites = 1000;
constexpr std::uint64_t k_most_iterations = 1'000'000'000;

const CommandHelp k_help = {
    "record",
    "records which code allocated: exact call stacks",
    "[OPTIONS] (-- COMMAND [ARGUMENT...] | --workload NAME)",
    "Starts COMMAND once and records the call stack of every allocation of it and of the processes it starts, or, with "
    "--workload, of the measured loop of one workload, without its warm-up and set-up. Nothing is sampled unless "
    "--sample-bytes asks for it: the stacks add up to what 'stat' and 'run' count, which is checked before anything "
    "is written.\n\n"
    "The recording is a gzipped pprof file, allocgate.pb.gz in the working directory unless --output names another; an "
    "older file of that name is replaced. 'allocgate stacks' shows it, 'allocgate diff' compares two, and go tool "
    "pprof, speedscope and others open it. The sums and the places that allocated most go to standard error; standard "
    "output is the command's own.\n\n"
    "Names, inlined frames, files and lines come from the programs' debug data after the run, also where these lie in "
    "files of their own; build with -g to have them. Without them there are the names of symbol tables. What was found "
    "is kept in XDG_CACHE_HOME/allocgate/symbols. 'allocgate record' ends as COMMAND ended.",
    {{"allocgate record -- ./server --once", "Where does it allocate?"},
     {"allocgate record --workload beast/1000_reqs_1_conn -o beast.pb.gz", "One workload of the suite, per iteration."},
     {"allocgate record --suite ./my_bench --workload BM_parse", "A case of any google-benchmark program."}},
    {{"N", "what COMMAND ended with; 128 + signal when a signal ended it"},
     {"64", "wrong use"},
     {"125",
      "it was not, or not wholly, recorded (one sentence says why), timed out, or the file could not be written"},
     {"126", "COMMAND is not executable"},
     {"127", "COMMAND was not found"},
     {"130", "interrupted"}},
};

/// Before anything runs: a long run whose recording has no place would be lost.
void check_output(const fs::path& output) {
  std::error_code error;
  if (fs::is_directory(output, error)) {
    throw Error(ExitCode::usage, fmt::format("record: '{}' is a folder; name a file with --output", output.string()));
  }
  const fs::path folder = output.has_parent_path() ? output.parent_path() : fs::path(".");
  if (fs::is_directory(folder, error) && ::access(folder.c_str(), W_OK) != 0) {
    throw Error(ExitCode::usage,
                fmt::format("record: no file can be made in '{}'; name another place with --output", folder.string()));
  }
}

}  // namespace

CommandRecord::CommandRecord() {
  m_options.output = k_default_output;
  m_options.sites = k_default_sites;
}

const CommandHelp& CommandRecord::help() const {
  return k_help;
}

void CommandRecord::setup(CLI::App& app) {
  app.add_option("-o,--output", m_options.output, "Where the recording goes")->type_name("FILE")->capture_default_str();
  app.add_option("--workload", m_options.workload, "Record the measured loop of this workload, as 'list' names it")
      ->type_name("NAME");
  add_repeatable(app, "--suite", m_options.measuring.suites, "PROGRAM",
                 "Look for the workload in PROGRAM, any google-benchmark program (default: what allocgate.json says, "
                 "else the installed suite)");
  add_configuration_file(app, m_options.measuring.config);
  app.add_option("--iterations", m_options.measuring.iterations,
                 "Iterations of the window (default: the workload's own)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, k_most_iterations).description(""));
  app.add_flag(
      "--live", m_options.capture.live,
      "Follow the blocks too: deallocations, live bytes, temporary blocks and the own peak of each stack; peaks "
      "do not add up");
  app.add_option("--sample-bytes", m_options.capture.sample_bytes,
                 "Take the stack of one allocation in N bytes alone, the others count as not listed (default: of all)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, k_most_sample_bytes).description(""));
  app.add_flag("--no-children", m_options.no_children, "Record COMMAND alone, not the processes that it starts");
  app.add_option("--allocator", m_options.measuring.allocator,
                 "The allocator under the hooks: system, mimalloc, jemalloc, tcmalloc or a library's path")
      ->type_name("NAME|PATH")
      ->capture_default_str();
  add_seconds(app, "--timeout", m_options.measuring.timeout_seconds,
              "End COMMAND and its children after SECONDS (default: never; of a workload: its own)");
  app.add_flag("--no-inlines", m_options.naming.no_inlines,
               "Leave inlined calls out, as if there were only the outer function");
  add_repeatable(app, "--debug-folder", m_options.naming.debug_folders, "DIR",
                 "Look for separate debug files in DIR too, which is laid out as /usr/lib/debug");
  app.add_flag("--debuginfod", m_options.naming.debuginfod,
               "Ask the servers of DEBUGINFOD_URLS for debug data; without it nothing goes to the network");
  app.add_flag("--no-symbol-cache", m_options.naming.no_symbol_cache, "Neither use nor keep names in the cache");
  app.add_option("--sites", m_options.sites, "How many of the places that allocated most are shown")
      ->type_name("N")
      ->check(CLI::Range(0U, k_most_sites).description(""))
      ->capture_default_str();
  app.add_option("--color", m_options.color, "Colours: auto, always or never")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->capture_default_str();
}

void CommandRecord::check() {
  if (m_options.command.empty() == m_options.workload.empty()) {
    throw Error(
        ExitCode::usage,
        "it records a command or a workload: 'allocgate record -- ls -l' or 'allocgate record --workload NAME'");
  }
  const MeasuringOptions& measuring = m_options.measuring;
  if (m_options.workload.empty() &&
      (!measuring.suites.empty() || !measuring.config.empty() || measuring.iterations != 0)) {
    throw Error(ExitCode::usage, "--suite, --config and --iterations are for --workload NAME");
  }
  if (m_options.output.empty()) {
    throw Error(ExitCode::usage, "--output needs the name of a file");
  }
}

int CommandRecord::exit_status_of(ExitCode code) const {
  return status_of_own_failure(code);
}

StackRun CommandRecord::record(const MeasureOptions& how, Launcher& launcher) const {
  if (m_options.workload.empty()) {
    return record_command(m_options.command, how, m_options.capture, launcher);
  }
  const LoadedConfiguration configuration = load_configuration(m_options.measuring.config);
  return record_workload(
      workload_named(m_options.workload, m_options.measuring, configuration, how.installation, launcher), how,
      m_options.capture, launcher);
}

void CommandRecord::report(const Recording& recording, const Streams& streams) const {
  for (const std::string& note : recording.notes) {
    streams.err << fmt::format("allocgate: {}\n", note);
  }
  const Style style(wants_color(m_options.color, color_environment(), streams.err_is_terminal));
  streams.err << record_report(recording, m_options.sites, style, k_report_width);
  streams.err << fmt::format("\nwritten to {}; it adds up to the counters exactly\n  {} stacks {}\n", m_options.output,
                             streams.program, shell_quoted(m_options.output))
              << std::flush;
}

int CommandRecord::run(const Streams& streams) {
  check_output(m_options.output);
  const Installation installation = own_installation();
  require_hooks(installation);
  MeasureOptions how = m_options.measuring.measure_options(installation);
  how.follow_children = !m_options.no_children;
  PosixLauncher launcher;
  const StackRun run = record(how, launcher);
  if (run.failure) {
    throw_if_interrupted();
    const bool found =
        run.outcome.kind != LaunchOutcome::Kind::not_found && run.outcome.kind != LaunchOutcome::Kind::not_executable;
    throw Error(found ? ExitCode::stat_not_measured : static_cast<ExitCode>(allocgate::exit_status_of(run.outcome)),
                fmt::format("record: {}{}", found ? "nothing was written: " : "", run.failure->error));
  }
  if (m_options.workload.empty()) {
    forget_interrupts();  // a signal to a command in the foreground was its own affair: we end as it ended
  }
  const Recording recording = named_recording(run, m_options.naming, launcher);
  const std::string file = to_pprof(recording);
  throw_if_interrupted();
  write_file_atomically(m_options.output, file);
  report(recording, streams);
  return m_options.workload.empty() ? allocgate::exit_status_of(run.outcome) : static_cast<int>(ExitCode::fine);
}

}  // namespace allocgate
