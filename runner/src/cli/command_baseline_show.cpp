// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_baseline_show.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "baselines/baseline_store.hpp"
#include "cli/configuration.hpp"
#include "cli/measuring.hpp"
#include "cli/option_helpers.hpp"
#include "json/documents.hpp"
#include "report/baseline_report.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace allocgate {

namespace {

const CommandHelp k_help = {
    "baseline show",
    "shows the accepted values of a testbed",
    "[OPTIONS] [SUITE...]",
    "Shows every accepted value of this testbed, its class and rule, and who accepted it when and why. With --format "
    "json "
    "it prints the baseline file of one suite, as it would be written.",
    {{"allocgate baseline show", "All suites of this testbed."},
     {"allocgate baseline show allocgate_suite_asio --format json", "One suite's file."}},
    {{"0", "shown"}, {"5", "there is no such baseline"}, {"64", "wrong use"}, {"65", "a baseline file cannot be read"}},
};

}  // namespace

const CommandHelp& CommandBaselineShow::help() const {
  return k_help;
}

void CommandBaselineShow::setup(CLI::App& app) {
  app.add_option("SUITE", m_options.suites, "Suites to show (default: all of the testbed)");
  add_baseline_folder(app, m_options.baseline);
  add_configuration_file(app, m_options.config);
  app.add_option("--testbed", m_options.testbed, "Another testbed's id (default: this one's)")->type_name("ID");
  m_options.output.setup(app, {"text", "json"});
}

int CommandBaselineShow::run(const Streams& streams) {
  const BaselineStore store(baselines_folder(m_options.baseline, load_configuration(m_options.config)));
  const std::string testbed = m_options.testbed.empty() ? own_testbed("system", {}).id : m_options.testbed;
  std::vector<std::string> known;
  for (const BaselineStore::Entry& entry : store.entries()) {
    if (entry.testbed_id == testbed) {
      known.push_back(entry.suite);
    }
  }
  if (known.empty()) {
    throw Error(
        ExitCode::no_baseline,
        fmt::format("baseline show: testbed '{}' has no baseline in '{}'; 'allocgate baseline list' shows those that "
                    "have, 'allocgate baseline update' makes one",
                    testbed, store.folder().string()));
  }
  const std::vector<std::string>& wanted = m_options.suites.empty() ? known : m_options.suites;
  for (const std::string& suite : wanted) {
    if (std::find(known.begin(), known.end(), suite) == known.end()) {
      throw Error(ExitCode::no_baseline, fmt::format("baseline show: suite '{}' has no baseline on '{}'{}", suite,
                                                     testbed, did_you_mean(suite, known)));
    }
  }
  const bool json = m_options.output.chosen_format() == Format::json;
  if (json && wanted.size() != 1) {
    throw Error(ExitCode::usage, fmt::format("baseline show: --format json prints one suite's file; name one of: {}",
                                             joined(known, ", ")));
  }
  const Style style = result_style(m_options.output, streams.out_is_terminal);
  std::string text;
  for (const std::string& suite : wanted) {
    const std::optional<Baseline> baseline = store.load(testbed, suite);
    if (baseline) {
      text += json ? baseline_to_json(*baseline)
                   : (text.empty() ? "" : "\n") + baseline_report(*baseline, style, k_report_width);
    }
  }
  deliver(text, m_options.output, streams.out);
  return static_cast<int>(ExitCode::fine);
}

}  // namespace allocgate
