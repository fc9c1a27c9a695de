// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_check.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "baselines/baseline_store.hpp"
#include "cli/explanation.hpp"
#include "cli/installation.hpp"
#include "cli/measuring.hpp"
#include "cli/option_helpers.hpp"
#include "cli/ratchet_patch.hpp"
#include "cli/report_delivery.hpp"
#include "cli/select_workloads.hpp"
#include "cli/threshold_option.hpp"
#include "json/documents.hpp"
#include "report/formats.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
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
    "rule wins, then the command line over the baseline over allocgate.json. An exact series that differs is measured "
    "again in two fresh processes before it is called a regression. That a measure does not depend on an argument is "
    "held where a workload says so.\n\n" +
    formats_in_words(check_format_names());

const CommandHelp k_help = {
    "check",
    "compares with the baseline and gates",
    "[OPTIONS] [RESULT]",
    k_description,
    {{"allocgate check --threshold 'asio/*:allocated_bytes=1%'", "All workloads; the bytes of some may grow by 1 %."},
     {"allocgate check --against-rev main... --build make --suite build/bench",
      "This work tree against where it left main, both built and measured here."},
     {"allocgate check now.json --against before.json --format markdown",
      "One result file against another, for a comment on a change."},
     {"allocgate check --format junit --output allocgate.xml --save-result now.json",
      "For GitLab or Jenkins, with what was measured as a file for 'compare' and 'report'."}},
    {{"0", "nothing is worse"},
     {"2", "regression, leak, or a waiver whose last day is over"},
     {"3", "a workload could not be measured, vanished, or is unstable where exact was declared; nothing to judge"},
     {"4", "only improvements, with --on-improvement fail"},
     {"5", "no baseline for this testbed; a new workload, with --strict"},
     {"6", "blind: not counted, or a count of zero where the baseline has some"},
     {"7", "not comparable: a field of the testbed differs on which the counts depend"},
     {"64", "wrong use"},
     {"65", "unreadable RESULT or baseline"},
     {"1, 125, 129", "with --bisect: a regression, not measured, stop"},
     {"130", "interrupted"},
     {"", "Several at once: 2 over 3 over 6 over 7 over 5 over 4."}},
};

OnImprovement on_improvement_named(const std::string& name) {
  if (name == "warn") {
    return OnImprovement::warn;
  }
  if (name == "ratchet") {
    return OnImprovement::ratchet;
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
  m_options.revision.setup(app);
  add_repeatable(app, "--threshold", m_options.thresholds, "[WORKLOAD:]MEASURE=VALUE",
                 "What is allowed: 1% of the old value, 5 (that much more), 0.5/iteration (that much more each), or "
                 "10..20");
  add_repeatable(app, "--max", m_options.maxima, "WORKLOAD[:MEASURE]=N",
                 "Judge without any baseline: at most N allocations, or what MEASURE counts, in all iterations of the "
                 "window together, or N/iteration");
  app.add_option("--on-improvement", m_options.on_improvement,
                 "What an improvement is: no news, a note, exit 4, or a patch of the baseline that keeps it")
      ->type_name("ignore|warn|fail|ratchet")
      ->check(CLI::IsMember({"ignore", "warn", "fail", "ratchet"}).description(""))
      ->capture_default_str();
  app.add_option("--patch", m_options.patch,
                 fmt::format("Where ratchet writes its patch (default: {})", k_default_patch))
      ->type_name("FILE");
  app.add_option("-m,--reason", m_options.reason, "With ratchet: the reason that the baseline keeps")
      ->type_name("TEXT");
  app.add_option("--on-not-comparable", m_options.on_not_comparable, "What a baseline of another testbed is")
      ->type_name("fail|warn")
      ->check(CLI::IsMember({"fail", "warn"}).description(""))
      ->capture_default_str();
  app.add_flag("--strict", m_options.strict, "A workload without a baseline entry is exit 5, not a note");
  app.add_flag("--allow-missing-baseline", m_options.allow_missing_baseline,
               "No baseline for this testbed is exit 0, with the command that makes it");
  add_repeatable(app, "--accept-blind", m_options.accept_blind, "NAME",
                 "Accept a count of zero of this WORKLOAD or WORKLOAD:MEASURE");
  app.add_flag("--explain", m_options.explain,
               "Record each workload that is worse, and say which call stacks allocate more than before: those that "
               "'baseline update --with-stacks' kept, or those of --against-rev");
  app.add_flag("--bisect", m_options.bisect,
               "End as 'git bisect run' wants it: 0 good, 1 a regression, 125 not measured, 129 whatever must stop it; "
               "judge with --against or --max, as a baseline changes with the commits");
  app.add_option("--save-result", m_options.save_result, "Write what was measured to FILE, too, as 'run' would")
      ->type_name("FILE");
  m_options.measuring.setup(app);
  m_options.measuring.timing.setup(app);
  m_options.output.setup(app, check_format_names());
}

void CommandCheck::check() {
  m_options.revision.check();
  const auto judged_against = {!m_options.against.empty(), !m_options.baseline.empty(),
                               !m_options.revision.revision.empty()};
  if (std::count(judged_against.begin(), judged_against.end(), true) > 1) {
    throw Error(ExitCode::usage,
                "--against, --against-rev and --baseline exclude each other: there is one thing to judge against");
  }
  if (!m_options.revision.revision.empty() && !m_options.result.empty()) {
    throw Error(ExitCode::usage, "--against-rev builds and measures both sides, so it takes no RESULT");
  }
  for (const std::string& rule : m_options.thresholds) {
    parse_threshold_rule(rule);
  }
  for (const std::string& rule : m_options.maxima) {
    parse_maximum_rule(rule);
  }
  const bool judges_without_baseline = !m_options.maxima.empty();
  const bool has_other_side = std::count(judged_against.begin(), judged_against.end(), true) > 0;
  if (judges_without_baseline && has_other_side) {
    throw Error(ExitCode::usage,
                "--max judges without any baseline; beside --baseline, --against or --against-rev, --threshold "
                "NAME=0..N says the same");
  }
  const bool ratchets = m_options.on_improvement == "ratchet";
  if (ratchets && (judges_without_baseline || (has_other_side && m_options.baseline.empty()))) {
    throw Error(ExitCode::usage, "--on-improvement ratchet changes a baseline, and here is none");
  }
  if (ratchets && m_options.measuring.quick) {
    throw Error(ExitCode::usage, "--quick does not prove that values repeat, so they cannot become a baseline");
  }
  if (!ratchets && !(m_options.patch.empty() && m_options.reason.empty())) {
    throw Error(ExitCode::usage, "--patch and --reason are for --on-improvement ratchet");
  }
  if (m_options.explain && !m_options.result.empty()) {
    throw Error(ExitCode::usage, "--explain runs what is worse once more, and RESULT is a file: leave it out");
  }
  if (!m_options.save_result.empty() && !m_options.result.empty()) {
    throw Error(ExitCode::usage, "--save-result is for what is measured, and RESULT is a file already");
  }
}

void CommandCheck::see_words(const std::vector<std::string>& words) {
  m_options.bisect = std::find(words.begin(), words.end(), "--bisect") != words.end();
}

int CommandCheck::exit_status_of(ExitCode code) const {
  return m_options.bisect ? bisect_status(code) : static_cast<int>(code);
}

JudgeOptions CommandCheck::judge_options() const {
  JudgeOptions options;
  for (const std::string& rule : m_options.thresholds) {
    options.rules.push_back(parse_threshold_rule(rule));
  }
  for (const std::string& rule : m_options.maxima) {
    options.rules.push_back(parse_maximum_rule(rule));
  }
  options.without_baseline = !m_options.maxima.empty();
  options.on_improvement = on_improvement_named(m_options.on_improvement);
  options.strict = m_options.strict;
  options.allow_missing_baseline = m_options.allow_missing_baseline;
  options.warn_not_comparable = m_options.on_not_comparable == "warn";
  options.accepted_blind = m_options.accept_blind;
  return options;
}

Judged CommandCheck::judged(const Streams& streams) const {
  const LoadedConfiguration configuration = load_configuration(m_options.measuring.config);
  BaselineSource source;
  if (m_options.against.empty() && m_options.revision.revision.empty()) {
    source.folder = baselines_folder(m_options.baseline, configuration);
  }
  source.against = m_options.against;
  source.configuration = configuration.file;
  for (const std::string& suite : m_options.measuring.suites) {
    source.suites.push_back(std::filesystem::path(suite).filename().string());
  }
  JudgeOptions options = judge_options();
  MeasuringOptions measuring = m_options.measuring;
  if (options.without_baseline && measuring.names.empty()) {
    for (const ThresholdRule& maximum : options.rules) {
      if (needs_no_baseline(maximum.threshold) && !maximum.workload.empty()) {
        measuring.names.push_back(maximum.workload);
      }
    }
  }
  const std::vector<ThresholdRule>& configured = configuration.configuration.thresholds;
  options.rules.insert(options.rules.end(), configured.begin(), configured.end());
  options.waivers = configuration.configuration.waivers;
  options.today = today_text();
  if (!m_options.revision.revision.empty()) {
    return judge_against_revision(m_options.revision, measuring, configuration, source, options, streams);
  }
  return m_options.result.empty() ? measure_and_judge(measuring, configuration, source, options, streams)
                                  : judge_result(read_result(m_options.result), measuring.choice(), source, options);
}

void CommandCheck::explain_if_asked(Judged& judged, const Streams& streams) const {
  if (!m_options.explain) {
    return;
  }
  const std::vector<std::string> names = workloads_to_explain(judged.judgement);
  if (names.empty()) {
    return;
  }
  const LoadedConfiguration configuration = load_configuration(m_options.measuring.config);
  explain(judged.judgement,
          m_options.revision.revision.empty()
              ? stacks_against_baseline(names, judged, m_options.measuring, configuration)
              : stacks_against_revision(names, m_options.revision, m_options.measuring, configuration, streams));
}

int CommandCheck::run(const Streams& streams) {
  Judged judged = this->judged(streams);
  explain_if_asked(judged, streams);
  const StepsFor steps = [this, &streams](const Verdict& verdict) { return steps_for(verdict, streams.program); };
  if (!m_options.save_result.empty()) {
    write_file_atomically(m_options.save_result, result_to_json(judged.result));
  }
  deliver_judgement(judged.result, judged.judgement, steps, m_options.output, streams);
  if (m_options.on_improvement == "ratchet") {
    write_ratchet_patch(judged, m_options.patch, m_options.reason, streams);
  }
  return exit_status_of(judged.judgement.exit_code);
}

}  // namespace allocgate
