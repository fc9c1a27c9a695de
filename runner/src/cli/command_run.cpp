// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_run.hpp"

#include "base/text.hpp"
#include "baselines/baseline_store.hpp"
#include "cli/installation.hpp"
#include "cli/measuring.hpp"
#include "cli/merge_results.hpp"
#include "cli/started_as.hpp"
#include "compare/comparison.hpp"
#include "json/documents.hpp"
#include "measure/proof.hpp"
#include "report/core_report.hpp"
#include "report/family_report.hpp"
#include "report/repeat_report.hpp"
#include "report/run_report.hpp"
#include "report/time_report.hpp"
#include "report/values.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ostream>

namespace allocgate {

namespace {

constexpr unsigned k_most_repeats = 1000;

const CommandHelp k_help = {
    "run",
    "measures workloads and shows what they allocate",
    "[OPTIONS] [NAME...]",
    "Measures each workload in fresh processes, with windows of N, 2N and 3N iterations in each, and shows what "
    "repeats "
    "per iteration and what happens once. It never builds anything. Without NAME, all workloads: those of --suite, or "
    "else of the nearest allocgate.json above the working directory, or else of the installed suite.\n\n"
    "A workload has a fixed environment, an empty standard input, and no open descriptor but the standard ones. One "
    "that "
    "crashes, hangs or cannot be counted is its own failure; the others go on.\n\n"
    "Where several cores have a workload of the same name, a table at the end lays them side by side.\n\n"
    "--time adds what it takes: wall and CPU time, instructions, page faults, context switches, peak resident memory, "
    "from fresh processes without the hooks, after the counting and one at a time. They are shown and never gated "
    "unless a rule names them.",
    {{"allocgate run --core asio --core uv",
      "The workloads over Asio and libuv, and a table that lays them side by side."},
     {"allocgate run 'asio/*'", "The workloads whose names begin with asio/."},
     {"allocgate run --suite ./build/my_benchmarks --format json --output now.json",
      "A google-benchmark program of your own, into a file for 'check' and 'compare'."},
     {"allocgate run --time --instructions callgrind noop", "What a workload takes, with exact instructions."}},
    {{"0", "every workload was measured"},
     {"3", "a workload could not be measured"},
     {"6", "a workload is blind: it was not, or not wholly, counted"},
     {"64", "wrong use; no workload matches"},
     {"130", "interrupted"}},
};

void say_how_to_make_a_baseline(const Result& result, const Streams& streams, const MeasuringOptions& options,
                                const LoadedConfiguration& configuration) {
  const BaselineStore store(baselines_folder({}, configuration));
  for (const BaselineStore::Entry& entry : store.entries()) {
    if (entry.testbed_id == result.testbed.id) {
      return;
    }
  }
  std::vector<std::string> words = {streams.program, "baseline", "update", "--reason", "first baseline"};
  const std::vector<std::string> more = options.as_arguments();
  words.insert(words.end(), more.begin(), more.end());
  streams.err << fmt::format("allocgate: there is no baseline for this testbed ({}); make it:\n  {}\n",
                             result.testbed.id, shell_quoted(words));
}

/// Each workload as other tools are to see it: in the foreground, alone, with nothing of ours in it.
int run_without_hooks(const std::vector<WorkloadInfo>& workloads, const MeasureOptions& how, const Streams& streams,
                      Launcher& launcher) {
  ExitCode code = ExitCode::fine;
  for (const WorkloadInfo& workload : workloads) {
    const StartedAs started = started_as(workload, how, launcher);
    streams.err << fmt::format("allocgate: {} without the hooks, nothing is counted:\n  {}\n", workload.name,
                               shell_line(started))
                << std::flush;
    LaunchSpec spec;
    spec.argv = started.argv;
    spec.environment = started.environment;
    spec.working_directory = started.working_directory;
    spec.output = LaunchSpec::Output::inherit;
    spec.timeout = how.timeout ? how.timeout : workload.timeout;
    const LaunchOutcome outcome = launcher.launch(spec);
    throw_if_interrupted();
    if (const std::optional<Failure> failure = failure_of_end(outcome, spec.timeout)) {
      streams.err << fmt::format("allocgate: {}: {}\n", workload.name, failure->error);
      code = ExitCode::not_measured;
    }
  }
  return static_cast<int>(code);
}

/// All of it as often as asked, as one result whose series know how far the repeats were apart.
Result measure_repeatedly(std::vector<WorkloadInfo> workloads, const std::vector<WorkloadResult>& unlistable,
                          const CommandRun::Options& options, MeasureOptions how, const Streams& streams,
                          Launcher& launcher) {
  const Testbed testbed = own_testbed(options.measuring.allocator, workloads);
  std::vector<Result> results;
  std::vector<std::string> names;
  for (unsigned repeat = 1; repeat <= options.repeat; ++repeat) {
    results.push_back(measure_all(workloads, unlistable, options.measuring, how, testbed, streams, launcher));
    names.push_back(fmt::format("repeat {}", repeat));
    for (std::size_t index = 0; index < workloads.size(); ++index) {
      if (results.back().workloads[index].status == WorkloadStatus::ok) {
        workloads[index].iterations = results.back().workloads[index].iterations;  // as chosen the first time
      }
    }
    if (how.time) {
      how.time->absent.clear();  // said once
    }
  }
  return options.repeat == 1 ? results.front() : merge_repeats(results, names);
}

/// Its families alone: the rows of a comparison of one result.
std::vector<ComparisonFamily> families_in(const Result& result, const std::string& label) {
  return compare_results({&result, 1}, {&label, 1}).families;
}

std::string text_of(const Result& result, const CommandRun::Options& options, const Streams& streams) {
  const std::string label = "per iteration";
  switch (options.output.chosen_format()) {
    case Format::json:
      return result_to_json(result);
    case Format::markdown:
      return with_part(with_part(run_markdown(result) + time_markdown(result) + repeat_markdown(result),
                                 family_markdown(families_in(result, label), {&label, 1}, {})),
                       core_markdown(result, k_report_width));
    case Format::text:
      break;
  }
  const Style style = result_style(options.output, streams.out_is_terminal);
  if (!options.details) {
    const std::string report = run_report(result, style, k_report_width) + time_report(result, style, k_report_width) +
                               repeat_report(result, style, k_report_width);
    return with_part(
        with_part(report, family_report(families_in(result, label), {&label, 1}, {}, style, k_report_width)),
        core_report(result, style, k_report_width));
  }
  std::string text;
  for (const WorkloadResult& workload : result.workloads) {
    text += (text.empty() ? "" : "\n") + workload_details(workload, style, k_report_width);
  }
  return text + time_report(result, style, k_report_width) + repeat_report(result, style, k_report_width);
}

}  // namespace

const CommandHelp& CommandRun::help() const {
  return k_help;
}

void CommandRun::setup(CLI::App& app) {
  app.add_option("NAME", m_options.measuring.names, "Names, globs ('asio/*') or regular expressions ('/udp|tcp/')");
  m_options.measuring.setup(app);
  app.add_flag("--no-hooks", m_options.no_hooks,
               "Run it bare, for other tools, and say how it is started; nothing is counted");
  app.add_flag("--details", m_options.details,
               "Every measure, the sizes requested and the processes, workload by workload");
  app.add_option("--repeat", m_options.repeat, "Measure everything N times and show how far the repeats are apart")
      ->type_name("N")
      ->check(CLI::Range(1U, k_most_repeats).description(""))
      ->capture_default_str();
  m_options.measuring.timing.setup(app);
  m_options.output.setup(app, {"text", "json", "markdown"});
}

int CommandRun::run(const Streams& streams) {
  const Installation installation = own_installation();
  if (!m_options.no_hooks) {
    require_hooks(installation);
  }
  PosixLauncher launcher;
  const LoadedConfiguration configuration = load_configuration(m_options.measuring.config);
  const FoundWorkloads found = find_workloads(m_options.measuring, configuration, installation, launcher);
  const std::vector<WorkloadInfo> workloads = selected(found.workloads, m_options.measuring.choice());
  const bool all = m_options.measuring.choice().means_all();
  const MeasureOptions how = m_options.measuring.measure_options(installation);
  if (m_options.no_hooks) {
    return run_without_hooks(workloads, how, streams, launcher);
  }
  const Result result = measure_repeatedly(workloads, all ? found.unlistable : std::vector<WorkloadResult>(), m_options,
                                           how, streams, launcher);
  deliver(text_of(result, m_options, streams), m_options.output, streams.out);
  say_how_to_make_a_baseline(result, streams, m_options.measuring, configuration);
  return static_cast<int>(exit_code_of(result));
}

}  // namespace allocgate
