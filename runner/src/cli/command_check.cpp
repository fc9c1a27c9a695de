// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_check.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "baselines/baseline_store.hpp"
#include "cli/installation.hpp"
#include "cli/judging.hpp"
#include "cli/measuring.hpp"
#include "cli/option_helpers.hpp"
#include "cli/report_delivery.hpp"
#include "cli/select_workloads.hpp"
#include "cli/threshold_option.hpp"
#include "json/documents.hpp"
#include "report/formats.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ostream>

namespace allocgate {

namespace {

const std::string k_description =
    "Measures all workloads, or reads RESULT, a file that 'run --format json' wrote, and judges every series against "
    "this "
    "testbed's baseline. It fails closed: no workload, a baseline entry without a result, a workload that failed or "
    "was "
    "not counted are findings of their own. Each red verdict ends with three command lines: to see it again, to look "
    "into it, to accept it.\n\n"
    "A series is worse when new - old is more than the greater of the absolute threshold and the percentage of the old "
    "value. Without a rule: exact series allow nothing, stable ones 1 %, noisy ones are not gated. The more specific "
    "rule wins, then the command line over the baseline. An exact series that differs is measured again in two fresh "
    "processes before it is called a regression. That a measure does not depend on an argument is held where a "
    "workload says so.\n\n" +
    formats_in_words(check_format_names());

const CommandHelp k_help = {
    "check",
    "compares with the baseline and gates",
    "[OPTIONS] [RESULT]",
    k_description,
    {{"allocgate check --threshold 'asio/*:allocated_bytes=1%'", "All workloads; the bytes of some may grow by 1 %."},
     {"allocgate check now.json --against before.json --format markdown",
      "One result file against another, for a comment on a change."},
     {"allocgate check --format junit --output allocgate.xml --save-result now.json",
      "For GitLab or Jenkins, with what was measured as a file for 'compare' and 'report'."}},
    {{"0", "nothing is worse"},
     {"2", "regression, or leak"},
     {"3", "a workload could not be measured, vanished, or is unstable where exact was declared; nothing to judge"},
     {"4", "only improvements, with --on-improvement fail"},
     {"5", "no baseline for this testbed; a new workload, with --strict"},
     {"6", "blind: not counted, or a count of zero where the baseline has some"},
     {"7", "not comparable: a field of the testbed differs on which the counts depend"},
     {"64", "wrong use"},
     {"65", "unreadable RESULT or baseline"},
     {"130", "interrupted"},
     {"", "Several at once: 2 over 3 over 6 over 7 over 5 over 4."}},
};

OnImprovement on_improvement_named(const std::string& name) {
  if (name == "warn") {
    return OnImprovement::warn;
  }
  return name == "fail" ? OnImprovement::fail : OnImprovement::ignore;
}

}  // namespace

const CommandHelp& CommandCheck::help() const {
  return k_help;
}

void CommandCheck::setup(CLI::App& app) {
  app.add_option("RESULT", m_options.result, "A result file to judge instead of measuring");
  add_repeatable(app, "--workload", m_options.measuring.names, "NAME", "Judge these alone: a name, glob or /regex/");
  add_baseline_folder(app, m_options.baseline);
  app.add_option("--against", m_options.against, "Judge against another result instead of a baseline")
      ->type_name("RESULT");
  add_repeatable(app, "--threshold", m_options.thresholds, "[WORKLOAD:]MEASURE=VALUE",
                 "What is allowed: 1% of the old value, 5 (that much more), or 10..20");
  app.add_option("--on-improvement", m_options.on_improvement, "What an improvement is")
      ->type_name("ignore|warn|fail")
      ->check(CLI::IsMember({"ignore", "warn", "fail"}).description(""))
      ->capture_default_str();
  app.add_option("--on-not-comparable", m_options.on_not_comparable, "What a baseline of another testbed is")
      ->type_name("fail|warn")
      ->check(CLI::IsMember({"fail", "warn"}).description(""))
      ->capture_default_str();
  app.add_flag("--strict", m_options.strict, "A workload without a baseline entry is exit 5, not a note");
  app.add_flag("--allow-missing-baseline", m_options.allow_missing_baseline,
               "No baseline for this testbed is exit 0, with the command that makes it");
  add_repeatable(app, "--accept-blind", m_options.accept_blind, "NAME",
                 "Accept a count of zero of this WORKLOAD or WORKLOAD:MEASURE");
  app.add_option("--save-result", m_options.save_result, "Write what was measured to FILE, too, as 'run' would")
      ->type_name("FILE");
  m_options.measuring.setup(app);
  m_options.output.setup(app, check_format_names());
}

void CommandCheck::check() {
  if (!m_options.against.empty() && !m_options.baseline.empty()) {
    throw Error(ExitCode::usage, "--against and --baseline exclude each other: there is one thing to judge against");
  }
  for (const std::string& rule : m_options.thresholds) {
    parse_threshold_rule(rule);
  }
  if (!m_options.save_result.empty() && !m_options.result.empty()) {
    throw Error(ExitCode::usage, "--save-result is for what is measured, and RESULT is a file already");
  }
}

JudgeOptions CommandCheck::judge_options() const {
  JudgeOptions options;
  for (const std::string& rule : m_options.thresholds) {
    options.rules.push_back(parse_threshold_rule(rule));
  }
  options.on_improvement = on_improvement_named(m_options.on_improvement);
  options.strict = m_options.strict;
  options.allow_missing_baseline = m_options.allow_missing_baseline;
  options.warn_not_comparable = m_options.on_not_comparable == "warn";
  options.accepted_blind = m_options.accept_blind;
  return options;
}

int CommandCheck::run(const Streams& streams) {
  BaselineSource source;
  source.folder = m_options.against.empty() ? baselines_folder(m_options.baseline) : std::filesystem::path();
  source.against = m_options.against;
  for (const std::string& suite : m_options.measuring.suites) {
    source.suites.push_back(std::filesystem::path(suite).filename().string());
  }
  JudgeOptions options = judge_options();
  Judged judged = m_options.result.empty()
                      ? measure_and_judge(m_options.measuring, source, options, streams)
                      : judge_result(read_result(m_options.result), m_options.measuring.names, source, options);

  const StepsFor steps = [this, &streams](const Verdict& verdict) { return steps_for(verdict, streams.program); };
  if (!m_options.save_result.empty()) {
    write_file_atomically(m_options.save_result, result_to_json(judged.result));
  }
  deliver_judgement(judged.result, judged.judgement, steps, m_options.output, streams);
  return static_cast<int>(judged.judgement.exit_code);
}

}  // namespace allocgate
