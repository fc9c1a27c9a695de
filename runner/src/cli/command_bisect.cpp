// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_bisect.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/option_helpers.hpp"
#include "cli/threshold_option.hpp"
#include "json/documents.hpp"
#include "report/bisection_report.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace allocgate {

namespace {

constexpr std::size_t k_finest_grid = 10'000;

const CommandHelp k_help = {
    "bisect",
    "finds the commits, or the toolchain, that changed a count",
    "--good REV [OPTIONS] (--workload NAME | -- COMMAND...)",
    "Builds and measures commits between a good and a bad one, in work trees of its own beside yours, and names every "
    "one that changed the measure: it goes on in each half whose ends differ. Where a merge changed it, the commits of "
    "the branch that it brought are searched, too. A commit that does not build, or that cannot be measured, is passed "
    "over; where the change may be its own, the range is named. What was built and measured once is remembered, so a "
    "search that was interrupted goes on where it was, and the next one costs only what is new.\n\n"
    "Steps that cancel between two commits of equal value are not seen; --grid measures in parts first. Values that "
    "are not exact are measured again until both ends of a part can be told apart, with up to 30 processes each.\n\n"
    "The build line runs at the root of the work tree in your environment; COMMAND and workloads start there, in the "
    "fixed environment that 'list --commands' prints. With --along toolchain one revision is built by each "
    "--toolchain, and the line that is searched is theirs.",
    {{"allocgate bisect --good v1 --workload parse --suite build/bench --build make",
      "Every commit since v1 that changed the allocations of one workload."},
     {"allocgate bisect --good HEAD~200 --build 'make -j2' -- build/tool input.txt",
      "The allocations of a whole command, up to HEAD; the build line may be in allocgate.json, too."},
     {"allocgate bisect --along toolchain --toolchain old=CC=gcc-11 -- ./tool",
      "From which compiler on the same code allocates more; --toolchain as often as there are."}},
    {{"0", "the search ended, with a step or without"},
     {"3", "it could not decide: an end could not be measured, or another allocgate builds there"},
     {"64", "wrong use; no such revision"},
     {"130", "interrupted: the same command goes on"}},
};

bool built_measure_has_no_stacks(const std::string& measure) {
  return measure != "allocations" && measure != "allocated_bytes";
}

}  // namespace

const CommandHelp& CommandBisect::help() const {
  return k_help;
}

void CommandBisect::setup(CLI::App& app) {
  app.add_option("--good", m_options.ends.good, "A revision from before the change")->type_name("REV");
  app.add_option("--bad", m_options.ends.bad, "A revision that has it (default: HEAD)")->type_name("REV");
  m_options.built.setup(app, "Commits built and measured at the same time");
  app.add_option("--threshold", m_options.threshold,
                 "What counts as a change: more than 1% of the value before, than 5, or than 0.5/iteration (default: "
                 "anything of exact values, 1% of others)")
      ->type_name("VALUE");
  app.add_option("--grid", m_options.grid, "Measure in N equal parts first, so that steps that cancel are seen")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, k_finest_grid).description(""))
      ->capture_default_str();
  app.add_flag(
      "--stacks", m_options.stacks,
      "Compare which code allocates how much, not sums, and show what each step changed there: finds also what "
      "moved from one place to another");
  app.add_flag("--first", m_options.search.first_only,
               "Find the first bad commit alone, as 'git bisect' does, among all ancestors");
  app.add_flag("--first-parent", m_options.search.first_parent, "Take a merge as one step, whatever its branch did");
  app.add_option("--along", m_options.along, "What lies between good and bad")
      ->type_name("commits|toolchain")
      ->check(CLI::IsMember({"commits", "toolchain"}).description(""))
      ->capture_default_str();
  app.add_option("--rev", m_options.revision, "With --along toolchain: what is built (default: HEAD)")
      ->type_name("REV");
  m_options.output.setup(app, {"text", "json", "markdown"});
}

void CommandBisect::check() {
  m_options.built.check();
  if (m_options.built.workloads.size() > 1) {
    throw Error(ExitCode::usage, "it follows one workload at a time: give --workload once");
  }
  const bool toolchains = m_options.along_toolchains();
  if (!toolchains && m_options.ends.good.empty()) {
    throw Error(ExitCode::usage, "--good REV is missing: a revision from before the change");
  }
  if (!toolchains && (!m_options.revision.empty() || !m_options.built.toolchains.empty())) {
    throw Error(ExitCode::usage, "--rev and --toolchain go with --along toolchain");
  }
  if (toolchains && (m_options.search.first_only || m_options.search.first_parent)) {
    throw Error(ExitCode::usage, "--first and --first-parent are about commits, not about toolchains");
  }
  if (m_options.stacks && built_measure_has_no_stacks(m_options.built.measure)) {
    throw Error(ExitCode::usage, "--stacks knows allocations and allocated_bytes: follow one of them with --measure");
  }
  if (m_options.search.first_only && m_options.grid > 1) {
    throw Error(ExitCode::usage, "--first and --grid exclude each other");
  }
  if (!m_options.threshold.empty() && parse_threshold(m_options.threshold).range) {
    throw Error(ExitCode::usage, "--threshold: a range allows values, not changes; write 1%, 5 or 0.5/iteration");
  }
}

Bisection CommandBisect::search(const Streams& streams) const {
  PosixLauncher launcher;
  const Repository repository({}, launcher);
  const BuiltOptions& built = m_options.built;
  const LoadedConfiguration here = load_configuration(built.measuring.config);
  const std::string command_name = "bisect";
  BuildPlan plan = built.plan(here, command_name);
  if (m_options.stacks) {
    plan.recorded = built.named_measuring().names;
  }
  const LoadedConfiguration measured = built.configuration_of(here, repository);
  RevisionMeasurer measurer(repository, plan, built.named_measuring(), measured, command_name, streams);
  FollowedMeasure followed;
  followed.workload = built.named_measuring().names.front();
  followed.measure = built.measure;
  followed.by_stacks = m_options.stacks;
  if (!m_options.threshold.empty()) {
    followed.threshold = parse_threshold(m_options.threshold);
  }
  LineSearch search(measurer, followed, {m_options.grid, plan.jobs});
  SearchEnds ends = m_options.ends;
  if (m_options.along_toolchains()) {
    const Revision revision = repository.resolve(m_options.revision.empty() ? "HEAD" : m_options.revision);
    return bisect_toolchains(revision, parse_named_variables("--toolchain", built.toolchains), ends, followed, search);
  }
  ends.bad = ends.bad.empty() ? "HEAD" : ends.bad;
  return bisect_commits(repository, ends, m_options.search, followed, search);
}

int CommandBisect::run(const Streams& streams) {
  const Bisection bisection = search(streams);
  std::string text;
  switch (m_options.output.chosen_format()) {
    case Format::json:
      text = bisection_to_json(bisection);
      break;
    case Format::markdown:
      text = bisection_markdown(bisection);
      break;
    case Format::text:
      text = bisection_report(bisection, result_style(m_options.output, streams.out_is_terminal), k_report_width);
      break;
  }
  deliver(text, m_options.output, streams.out);
  return static_cast<int>(ExitCode::fine);
}

}  // namespace allocgate
