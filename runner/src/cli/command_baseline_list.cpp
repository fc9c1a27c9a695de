// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_baseline_list.hpp"

#include "baselines/baseline_store.hpp"
#include "cli/configuration.hpp"
#include "cli/measuring.hpp"
#include "cli/option_helpers.hpp"
#include "json/value.hpp"
#include "report/text_table.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace allocgate {

namespace {

const CommandHelp k_help = {
    "baseline list",
    "lists the testbeds and suites that have a baseline",
    "[OPTIONS]",
    "Lists the files baselines/TESTBED/SUITE.json, how many workloads each holds and when it was last changed. The "
    "testbed of this machine is marked with '*'.",
    {{"allocgate baseline list", "Does this machine have a baseline?"},
     {"allocgate baseline list --baseline ../other/baselines --format json", "Another folder's, for a program."}},
    {{"0", "listed, also when there are none"}, {"64", "wrong use"}, {"65", "a baseline file cannot be read"}},
};

struct Line {
  BaselineStore::Entry entry;
  bool own = false;
  std::size_t workloads = 0;
  std::string updated_at;
};

std::vector<Line> lines_of(const BaselineStore& store) {
  const std::string own = own_testbed("system", {}).id;
  std::vector<Line> lines;
  for (const BaselineStore::Entry& entry : store.entries()) {
    const std::optional<Baseline> baseline = store.load(entry.testbed_id, entry.suite);
    if (!baseline) {
      continue;
    }
    Line line{entry, entry.testbed_id == own, baseline->workloads.size(), {}};
    for (const auto& [name, workload] : baseline->workloads) {
      line.updated_at = std::max(line.updated_at, workload.updated_at);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string json_text(const BaselineStore& store, const std::vector<Line>& lines) {
  JsonValue baselines = JsonValue::array();
  for (const Line& line : lines) {
    baselines.push(JsonValue::object()
                       .add("testbed", line.entry.testbed_id)
                       .add("suite", line.entry.suite)
                       .add("file", line.entry.file.string())
                       .add("this_testbed", line.own)
                       .add("workloads", line.workloads)
                       .add("updated_at", line.updated_at));
  }
  return to_json_text(JsonValue::object()
                          .add("schema", "allocgate.baseline-list/1")
                          .add("folder", store.folder().string())
                          .add("baselines", std::move(baselines)));
}

}  // namespace

const CommandHelp& CommandBaselineList::help() const {
  return k_help;
}

void CommandBaselineList::setup(CLI::App& app) {
  add_baseline_folder(app, m_options.baseline);
  add_configuration_file(app, m_options.config);
  m_options.output.setup(app, {"text", "json"});
}

int CommandBaselineList::run(const Streams& streams) {
  const BaselineStore store(baselines_folder(m_options.baseline, load_configuration(m_options.config)));
  const std::vector<Line> lines = lines_of(store);
  if (m_options.output.chosen_format() == Format::json) {
    deliver(json_text(store, lines), m_options.output, streams.out);
    return static_cast<int>(ExitCode::fine);
  }
  TextTable table({{"", TextTable::Align::left},
                   {"testbed", TextTable::Align::left, true},
                   {"suite", TextTable::Align::left, true},
                   {"workloads", TextTable::Align::right},
                   {"changed"}});
  for (const Line& line : lines) {
    table.add_row({{line.own ? "*" : ""},
                   {line.entry.testbed_id},
                   {line.entry.suite},
                   {std::to_string(line.workloads)},
                   {line.updated_at}});
  }
  const std::string text = table.empty()
                               ? fmt::format("no baselines in '{}'\n", store.folder().string())
                               : table.text(k_report_width, result_style(m_options.output, streams.out_is_terminal));
  deliver(text, m_options.output, streams.out);
  return static_cast<int>(ExitCode::fine);
}

}  // namespace allocgate
