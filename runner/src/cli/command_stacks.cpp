// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_stacks.hpp"

#include "base/error.hpp"
#include "json/stack_documents.hpp"
#include "page/stack_page.hpp"
#include "recordings/formats.hpp"
#include "recordings/read_recording.hpp"
#include "report/stacks_report.hpp"
#include "stacks/function_name.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>

namespace allocgate {

namespace {

const CommandHelp k_help = {
    "stacks",
    "shows which code allocated, from a recording",
    "[OPTIONS] FILE",
    "Reads a recording of call stacks and lists the stacks, those that allocated most first, with inlined frames, "
    "files and lines as far as the recording has them. Values are per iteration where the recording knows its "
    "iterations.\n\n"
    "The format is found by the content: pprof (also of Go and others), heaptrack data (gz, zst or plain) and what "
    "heaptrack_print prints, what DTrace and bpftrace print of a map by stack, folded stacks, DHAT and our own JSON. "
    "'-' is standard input. What a text left out (\"and 7 from 1 other places\") stays in the totals.",
    {{"allocgate stacks app.pb.gz --depth 5 --min 100",
      "Stacks of 100 allocations or more, by their five inner frames."},
     {"allocgate stacks heaptrack.app.123.zst --by function", "Who allocates, and who has it done."},
     {"allocgate stacks app.pb.gz --callees --depth 6", "A tree from main inwards, six levels of it."},
     {"allocgate stacks app.pb.gz --format folded | flamegraph.pl > a.svg", "A flame graph."},
     {"allocgate stacks app.pb.gz --format html -o app.html", "The same for a browser, with table and search."},
     {"allocgate stacks - < allocations.txt",
      "What scripts/allocations.bt printed of a process that cannot be started again."}},
    {{"0", "shown"},
     {"64", "wrong use; the recording has no such measure"},
     {"65", "the file is missing, empty, cut or of no format that we know"}},
};

bool is_export(const std::string& format) {
  return format == "folded" || format == "speedscope" || format == "pprof" || format == "dhat" || format == "html";
}

}  // namespace

const CommandHelp& CommandStacks::help() const {
  return k_help;
}

void CommandStacks::setup(CLI::App& app) {
  app.add_option("FILE", m_options.file, "The recording");
  m_options.recording.setup(app);
  app.add_option("--min", m_options.least, "Show what has N or more, per iteration where values are")->type_name("N");
  app.add_flag("--callers", m_options.callers, "A tree from what allocates outwards");
  app.add_flag("--callees", m_options.callees, "A tree from the outermost callers inwards");
  m_options.output.setup(app, {"text", "json", "markdown", "folded", "speedscope", "pprof", "dhat", "html"});
}

void CommandStacks::check() {
  if (m_options.file.empty()) {
    throw Error(ExitCode::usage, "it takes a recording, and none was given");
  }
  const int shapes = (m_options.callers ? 1 : 0) + (m_options.callees ? 1 : 0) +
                     (m_options.recording.by.empty() ? 0 : 1) + (is_export(m_options.output.format) ? 1 : 0);
  if (shapes > 1) {
    throw Error(ExitCode::usage, "one of --by, --callers, --callees and a format for other tools at a time");
  }
}

int CommandStacks::run(const Streams& streams) {
  if (m_options.output.format == "pprof" && m_options.output.output.empty() && streams.out_is_terminal) {
    throw Error(ExitCode::usage, "stacks: pprof files are not for a terminal; name a file with --output");
  }
  Recording recording = read_recording(m_options.file);
  ListingOptions listing;
  listing.measure = chosen_measure(recording, m_options.recording.measure, m_options.file);
  listing.filter = m_options.recording.filter;
  listing.depth = m_options.recording.depth;
  listing.least = m_options.least;
  if (recording.iterations && !m_options.recording.totals && listing.least > 0 &&
      __builtin_mul_overflow(listing.least, static_cast<Count>(*recording.iterations), &listing.least)) {
    throw Error(ExitCode::usage, "stacks: --min times the iterations of the recording does not fit in 64 bits");
  }
  say_what_is_missing(recording, m_options.file, listing.measure, streams);
  const std::string text =
      is_export(m_options.output.format) ? exported(recording, listing) : shown(recording, listing, streams);
  deliver(text, m_options.output, streams.out);
  return static_cast<int>(ExitCode::fine);
}

std::string CommandStacks::exported(Recording& recording, const ListingOptions& options) const {
  const bool is_part = !options.filter.empty() || options.depth != 0 || options.least != ListingOptions().least;
  const Recording part = is_part ? listed_alone(recording, list_stacks(recording, options)) : Recording();
  const Recording& whole = is_part ? part : recording;
  if (m_options.output.format == "folded") {
    return to_folded(whole, options.measure);
  }
  if (m_options.output.format == "speedscope") {
    return to_speedscope(whole, file_name_of(m_options.file));
  }
  if (m_options.output.format == "html") {
    return stacks_page(whole, options.measure, recording.iterations && !m_options.recording.totals, m_options.file);
  }
  return m_options.output.format == "pprof" ? to_pprof(whole) : to_dhat(whole);
}

std::string CommandStacks::shown(Recording& recording, const ListingOptions& options, const Streams& streams) const {
  const Format format = m_options.output.chosen_format();
  const Style style = result_style(m_options.output, streams.out_is_terminal);
  const StacksView view{options.measure, recording.iterations && !m_options.recording.totals, m_options.file};
  if (m_options.callers || m_options.callees) {
    const TreeDirection direction = m_options.callers ? TreeDirection::callers : TreeDirection::callees;
    const std::vector<TreeNode> tree = call_tree(recording, direction, options);
    return format == Format::json       ? tree_to_json(recording, options.measure, direction, tree)
           : format == Format::markdown ? tree_markdown(recording, tree, view)
                                        : tree_report(recording, tree, view, style, k_report_width);
  }
  if (const GroupBy by = m_options.recording.group_by(); by != GroupBy::stack) {
    const Listing<GroupRow> listing = list_groups(recording, by, options);
    return format == Format::json       ? groups_to_json(recording, by, listing)
           : format == Format::markdown ? groups_markdown(recording, by, listing, view)
                                        : groups_report(recording, by, listing, view, style, k_report_width);
  }
  const Listing<StackRow> listing = list_stacks(recording, options);
  return format == Format::json       ? stacks_to_json(recording, listing)
         : format == Format::markdown ? stacks_markdown(recording, listing, view)
                                      : stacks_report(recording, listing, view, style, k_report_width);
}

}  // namespace allocgate
