// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_compare.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/configuration.hpp"
#include "cli/measuring.hpp"
#include "cli/option_helpers.hpp"
#include "cli/select_workloads.hpp"
#include "compare/comparison.hpp"
#include "compare/threshold_notes.hpp"
#include "json/documents.hpp"
#include "report/comparison_report.hpp"
#include "report/layer_report.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <set>

namespace allocgate {

namespace {

const CommandHelp k_help = {
    "compare",
    "shows results side by side",
    "[OPTIONS] RESULT...",
    "Reads result files that 'run' or 'stat' wrote with --format json, and shows each series of each workload side by "
    "side, with the change from the first to the last: per iteration where both are linear, else in total. A single "
    "result is shown whole. Nothing is judged: 'check' does that; a change beyond a threshold of allocgate.json is a "
    "note.\n\n"
    "Workloads whose names differ in one integer argument (parse/size:64, parse/size:128, ...) are a family: where "
    "their values are exactly linear in it, at three values or more, it is shown as fixed + each unit.\n\n"
    "A workload may say which others run its layers alone: of HTTP requests the codec and the event loop. With "
    "--layers each such stack is shown with its layers and the rest, which is what putting them together adds; it is "
    "below 0 where a layer does more alone. The layers must be in the result, too.",
    {{"allocgate compare before.json after.json", "What differs between two measurements."},
     {"allocgate compare now.json --measure allocations --format json",
      "One result, with its families and why some are on no line."},
     {"allocgate compare now.json --layers --measure allocations",
      "What an HTTP client and server allocate beside their parser and their event loop."},
     {"allocgate compare gcc.json clang.json --measure allocations --all",
      "One measure of every workload, also the equal ones."}},
    {{"0", "shown, whatever differs"},
     {"64", "wrong use; no workload matches"},
     {"65", "a file is missing or is not a result"}},
};

/// Labels that tell the files apart: their names, or the whole paths where names are the same.
std::vector<std::string> labels_of(const std::vector<std::string>& files) {
  std::vector<std::string> labels;
  for (const std::string& file : files) {
    labels.push_back(std::filesystem::path(file).stem().string());
  }
  const std::set<std::string> different(labels.begin(), labels.end());
  return different.size() == labels.size() ? labels : files;
}

void keep_workloads(std::vector<Result>& results, const std::vector<std::string>& patterns) {
  if (patterns.empty()) {
    return;
  }
  std::set<std::string> all;
  for (const Result& result : results) {
    for (const WorkloadResult& workload : result.workloads) {
      all.insert(workload.name);
    }
  }
  const std::vector<std::string> names(all.begin(), all.end());
  std::set<std::string> kept;
  for (const std::size_t index : select_workloads(names, patterns)) {
    kept.insert(names[index]);
  }
  for (Result& result : results) {
    std::erase_if(result.workloads, [&kept](const WorkloadResult& workload) { return kept.count(workload.name) == 0; });
  }
}

void keep_measures(Comparison& comparison, const std::vector<std::string>& measures) {
  if (measures.empty()) {
    return;
  }
  std::set<std::string> known;
  for (const ComparisonRow& row : comparison.rows) {
    known.insert(row.measure);
  }
  const std::vector<std::string> names(known.begin(), known.end());
  for (const std::string& measure : measures) {
    if (known.count(measure) == 0) {
      throw Error(ExitCode::usage,
                  fmt::format("compare: no result has the measure '{}'{}", measure, did_you_mean(measure, names)));
    }
  }
  const auto is_other = [&measures](const auto& row) {
    return std::find(measures.begin(), measures.end(), row.measure) == measures.end();
  };
  std::erase_if(comparison.rows, is_other);
  std::erase_if(comparison.families, is_other);
  std::erase_if(comparison.stacks, is_other);
}

std::string layers_text(const Comparison& comparison, const OutputOptions& output, const Streams& streams) {
  if (comparison.stacks.empty()) {
    throw Error(ExitCode::usage,
                "compare: --layers: no workload here says which layers it has (of measures that are gated by default); "
                "of the installed suite beast/1000_reqs_1_conn does");
  }
  return output.chosen_format() == Format::markdown
             ? layer_markdown(comparison.stacks, comparison.labels)
             : layer_report(comparison.stacks, comparison.labels, result_style(output, streams.out_is_terminal),
                            k_report_width);
}

}  // namespace

const CommandHelp& CommandCompare::help() const {
  return k_help;
}

void CommandCompare::setup(CLI::App& app) {
  app.add_option("RESULT", m_options.results, "Result files; changes are from the first to the last");
  add_repeatable(app, "--workload", m_options.workloads, "NAME", "Show these alone: a name, glob or /regex/");
  add_repeatable(app, "--measure", m_options.measures, "MEASURE", "Show this measure alone");
  add_configuration_file(app, m_options.config);
  app.add_flag("--all", m_options.all, "Show series that are the same, too");
  app.add_flag("--totals", m_options.totals,
               "Show totals at the workload's iterations instead of values per iteration");
  app.add_flag(
      "--layers", m_options.layers,
      "Show workloads of a client and a server as layers instead: what codec and core cost alone, and the rest");
  m_options.output.setup(app, {"text", "json", "markdown"});
}

void CommandCompare::check() {
  if (m_options.results.empty()) {
    throw Error(ExitCode::usage, "it takes a result file at least, which 'run --format json --output FILE' writes");
  }
}

int CommandCompare::run(const Streams& streams) {
  std::vector<Result> results;
  for (const std::string& file : m_options.results) {
    results.push_back(read_result(file));
  }
  keep_workloads(results, m_options.workloads);
  Comparison comparison = compare_results(results, labels_of(m_options.results));
  keep_measures(comparison, m_options.measures);
  const LoadedConfiguration configuration = load_configuration(m_options.config);
  add_threshold_notes(configuration.configuration.thresholds, comparison);

  const ComparisonView view{m_options.all, m_options.totals, m_options.all || !m_options.measures.empty()};
  std::string text;
  if (m_options.layers && m_options.output.chosen_format() != Format::json) {
    deliver(layers_text(comparison, m_options.output, streams), m_options.output, streams.out);
    return static_cast<int>(ExitCode::fine);
  }
  switch (m_options.output.chosen_format()) {
    case Format::json:
      text = comparison_to_json(comparison);
      break;
    case Format::markdown:
      text = comparison_markdown(comparison, view);
      break;
    case Format::text:
      text =
          comparison_report(comparison, view, result_style(m_options.output, streams.out_is_terminal), k_report_width);
      break;
  }
  deliver(text, m_options.output, streams.out);
  return static_cast<int>(ExitCode::fine);
}

}  // namespace allocgate
