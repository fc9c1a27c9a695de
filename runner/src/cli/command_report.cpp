// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_report.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/measuring.hpp"
#include "cli/report_delivery.hpp"
#include "json/documents.hpp"
#include "report/formats.hpp"

#include <CLI/CLI.hpp>

namespace allocgate {

namespace {

// The formats are the register's, so that this page and the options cannot differ.
const std::string k_description =
    "Reads a result that 'run --format json' or 'check --save-result' wrote, and writes it in another format; with "
    "--judgement also what 'check --format json' said of it, so that one measurement serves every report. Nothing is "
    "measured or judged, and it ends with 0 whatever is in it, except for formats that cannot say that a workload was "
    "not measured.\n\n" +
    formats_in_words(report_format_names());

const CommandHelp k_help = {
    "report",
    "writes a result or a judgement for other tools",
    "[OPTIONS] RESULT",
    k_description,
    {{"allocgate report now.json --judgement said.json --format junit -o gate.xml",
      "After 'check --save-result now.json --format json -o said.json'."},
     {"allocgate report now.json --format swift-nio-limits -o Thresholds/6.1.json",
      "Limits as SwiftNIO's own script keeps them."}},
    {{"0", "written"},
     {"3", "a workload was not measured or has no value in the format, which cannot say so"},
     {"6", "a workload is blind, and the format cannot say so"},
     {"64", "wrong use; two workloads would have one name in the format"},
     {"65", "RESULT or the judgement cannot be read"}},
};

}  // namespace

const CommandHelp& CommandReport::help() const {
  return k_help;
}

void CommandReport::setup(CLI::App& app) {
  app.add_option("RESULT", m_options.result, "The result file");
  app.add_option("--judgement", m_options.judgement, "What 'check --format json' said of it")->type_name("FILE");
  m_options.output.setup(app, report_format_names());
}

void CommandReport::check() {
  if (m_options.result.empty()) {
    throw Error(ExitCode::usage, "it takes a result file, which 'run --format json --output FILE' writes");
  }
  const ReportFormat format = report_format_named(m_options.output.format);
  if (!m_options.judgement.empty() && hides_failures(format)) {
    throw Error(ExitCode::usage, m_options.output.format + " has no place for a judgement: leave --judgement out");
  }
}

int CommandReport::run(const Streams& streams) {
  const Result result = read_result(m_options.result);
  const StepsFor steps = [&](const Verdict& verdict) {
    const std::vector<std::string> again = {streams.program, "run", verdict.workload};
    const std::vector<std::string> details = {streams.program, "run", "--details", verdict.workload};
    return verdict.next.value_or(
        NextSteps{shell_quoted(again), shell_quoted(details), "not possible: nothing was measured; mend the workload"});
  };
  if (!m_options.judgement.empty()) {
    const Judgement judgement = judgement_from_json(read_file(m_options.judgement), m_options.judgement);
    deliver_judgement(result, judgement, steps, m_options.output, streams);
    return static_cast<int>(ExitCode::fine);
  }
  return static_cast<int>(deliver_result(result, steps, m_options.output, streams));
}

}  // namespace allocgate
