// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_diff.hpp"

#include "base/error.hpp"
#include "cli/option_helpers.hpp"
#include "json/stack_documents.hpp"
#include "model/slope.hpp"
#include "page/stack_page.hpp"
#include "recordings/formats.hpp"
#include "recordings/read_recording.hpp"
#include "report/stacks_report.hpp"
#include "stacks/stack_diff.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <limits>
#include <ostream>

namespace allocgate {

namespace {

const CommandHelp k_help = {
    "diff",
    "shows what two recordings of call stacks differ in",
    "[OPTIONS] (BEFORE AFTER | --rev A --rev B ...)",
    "Compares two recordings stack by stack: what is only in one of them, what changed, and, of what is left over, "
    "pairs that are most likely the same code under other names (a call that was inlined, a function with another "
    "name). Any "
    "format that 'stacks' reads will do, also a different one for each file.\n\n"
    "Stacks are the same when their functions are, whatever the addresses, lines, build folders, load order and the "
    "name of the executable, and whatever compilers add to names. Nothing is left out before the subtraction: what is "
    "shown and what is said not to be shown adds up to the difference of the totals.\n\n"
    "With --rev the two sides are revisions: each is built in a work tree of its own beside yours, and the window of "
    "one "
    "workload, or a whole command, is recorded there; '.' is the work tree as it is. What was recorded once is "
    "remembered.",
    {{"allocgate diff before.pb.gz after.pb.gz", "Which code allocates more, and which less."},
     {"allocgate diff before.pb.gz after.pb.gz --format html -o diff.html",
      "A page for a browser: flame graph, table and search in one file that fetches nothing."},
     {"allocgate diff a.zst b.zst --by module --measure allocated_bytes", "The bytes by library."},
     {"allocgate diff --rev main --rev . --workload parse --suite build/bench",
      "What the work tree allocates more than main, with file and line."},
     {"allocgate diff a.pb.gz b.pb.gz --fail-on-increase 0 --format json",
      "For a script: exit code 2 when the total grew."}},
    {{"0", "shown, whatever differs"},
     {"2", "the total grew by more than --fail-on-increase"},
     {"3", "a revision could not be built or recorded"},
     {"64", "wrong use; no file has the measure"},
     {"65", "a file is missing, empty, cut or of no format that we know"}},
};

}  // namespace

const CommandHelp& CommandDiff::help() const {
  return k_help;
}

void CommandDiff::setup(CLI::App& app) {
  app.add_option("RECORDING", m_options.files, "Two recordings: before and after");
  add_repeatable(app, "--rev", m_options.revisions, "REV", "A revision to build and record, twice: before and after");
  m_options.recording.setup(app);
  app.add_flag("--per-iteration", m_options.per_iteration,
               "Insist on values per iteration, which are shown anyway where both files know theirs");
  app.add_option("--min-delta", m_options.min_delta, "Show stacks alone that changed by N or more")
      ->type_name("N")
      ->check(CLI::Range(Count{0}, std::numeric_limits<Count>::max()).description(""));
  app.add_option("--fail-on-increase", m_options.fail_on_increase, "End with 2 when the total grew by more than N")
      ->type_name("N")
      ->check(CLI::Range(Count{0}, std::numeric_limits<Count>::max()).description(""));
  app.add_flag("--no-pair", m_options.no_pair, "Do not look for the same code under other names");
  m_options.built.setup_build(app, "Revisions built at the same time");
  m_options.output.setup(app, {"text", "json", "markdown", "folded", "html"});
}

void CommandDiff::check_sides() const {
  if (m_options.revisions.empty()) {
    if (m_options.files.size() != 2) {
      throw Error(ExitCode::usage,
                  fmt::format("it takes two recordings, before and after, and got {}", m_options.files.size()));
    }
    if (m_options.built.any()) {
      throw Error(ExitCode::usage,
                  "two files are compared as they are: what says how to build and measure goes with --rev A --rev B");
    }
    return;
  }
  if (!m_options.files.empty()) {
    throw Error(ExitCode::usage, "it compares two files or two revisions, not one with the other");
  }
  if (m_options.revisions.size() != 2) {
    throw Error(ExitCode::usage,
                fmt::format("--rev is given twice, before and after, and there {} {}",
                            m_options.revisions.size() == 1 ? "is" : "are", m_options.revisions.size()));
  }
  m_options.built.check();
  if (m_options.built.workloads.size() > 1) {
    throw Error(ExitCode::usage, "it compares one workload at a time: give --workload once");
  }
}

void CommandDiff::check() {
  check_sides();
  if (m_options.per_iteration && m_options.recording.totals) {
    throw Error(ExitCode::usage, "--per-iteration and --totals contradict each other");
  }
  if (m_options.revisions.empty() && m_options.files[0] == "-" && m_options.files[1] == "-") {
    throw Error(ExitCode::usage, "one of the two recordings at most can come from standard input");
  }
}

CommandDiff::Sides CommandDiff::sides(const Streams& streams) const {
  if (!m_options.revisions.empty()) {
    return revisions(streams);
  }
  return {read_recording(m_options.files[0]), read_recording(m_options.files[1]), m_options.files};
}

CommandDiff::Sides CommandDiff::revisions(const Streams& streams) const {
  PosixLauncher launcher;
  const Repository repository({}, launcher);
  const BuiltOptions& built = m_options.built;
  const LoadedConfiguration here = load_configuration(built.measuring.config);
  BuildPlan plan = built.plan(here, "diff");
  plan.measures = false;
  plan.recorded = built.named_measuring().names;
  RevisionMeasurer measurer(repository, plan, built.named_measuring(), built.configuration_of(here, repository), "diff",
                            streams);
  std::vector<BuiltPlace> places;
  std::vector<std::string> names;
  for (const std::string& name : m_options.revisions) {
    places.push_back({repository.named(name), {}, {}, {}});
    names.push_back(places.back().in_words());
  }
  std::vector<PlaceOutcome> outcomes = measurer.measure(places);
  std::vector<Recording> recordings;
  for (std::size_t side = 0; side < outcomes.size(); ++side) {
    const auto found = outcomes[side].stacks.find(plan.recorded.front());
    if (found == outcomes[side].stacks.end()) {
      const auto missing = outcomes[side].stacks_missing.find(plan.recorded.front());
      throw Error(
          ExitCode::not_measured,
          fmt::format("{} was not recorded: {}", names[side],
                      missing == outcomes[side].stacks_missing.end() ? outcomes[side].reason : missing->second));
    }
    recordings.push_back(std::move(*found->second));
  }
  return {std::move(recordings[0]), std::move(recordings[1]), std::move(names)};
}

int CommandDiff::run(const Streams& streams) {
  const Sides both = sides(streams);
  const Recording& before = both.before;
  const Recording& after = both.after;
  if (m_options.per_iteration && (!before.iterations || !after.iterations)) {
    throw Error(ExitCode::usage,
                fmt::format("diff: {} does not say how many iterations it is of; leave out --per-iteration",
                            both.names[before.iterations ? 1 : 0]));
  }
  DiffOptions options;
  options.measure = m_options.recording.measure;
  options.by = m_options.recording.group_by();
  options.depth = m_options.recording.depth;
  options.filter = m_options.recording.filter;
  options.min_delta = m_options.min_delta;
  options.pair = !m_options.no_pair;
  options.totals = m_options.recording.totals;
  const StackDiff diff(before, after, options);

  const DiffMeasure& measure = diff.measures()[diff.measure()];
  for (const std::size_t side : {0, 1}) {
    const Recording& recording = side == 0 ? before : after;
    if (side == 0 ? measure.missing_in_before : measure.missing_in_after) {
      streams.err << fmt::format("allocgate: {} has no measure '{}': its values count as 0\n", both.names[side],
                                 measure.name);
    } else {
      say_what_is_missing(recording, both.names[side],
                          recording.find_measure(measure.name).value_or(*main_measure(recording)), streams);
    }
  }
  std::string text;
  if (m_options.output.format == "folded") {
    text = to_folded(diff);
  } else if (m_options.output.format == "html") {
    text = stack_diff_page(diff, before, after, {{both.names[0], both.names[1]}, m_options.revisions.empty()});
  } else if (m_options.output.chosen_format() == Format::json) {
    text = stack_diff_to_json(diff, before, after, {both.names[0], both.names[1]});
  } else if (m_options.output.chosen_format() == Format::markdown) {
    text = stack_diff_markdown(diff);
  } else {
    text = stack_diff_report(diff, result_style(m_options.output, streams.out_is_terminal), k_report_width);
  }
  if (m_options.output.format != "text") {
    for (const std::string& note : diff.notes()) {
      streams.err << "allocgate: " << note << std::endl;
    }
  }
  deliver(text, m_options.output, streams.out);

  const Both& total = diff.totals()[diff.measure()];
  if (m_options.fail_on_increase &&
      diff.exact_delta(total) > Wide{*m_options.fail_on_increase} * diff.unit_iterations()) {
    streams.err << fmt::format(
        "allocgate: {} grew by {}, which is more than {}\n", measure.name,
        diff.is_per_iteration() ? per_iteration_text(diff.delta(total)) : decimal_text(diff.delta(total)),
        *m_options.fail_on_increase);
    return static_cast<int>(ExitCode::regression);
  }
  return static_cast<int>(ExitCode::fine);
}

}  // namespace allocgate
