// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_baseline_import.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "baselines/baseline_store.hpp"
#include "cli/baseline_updates.hpp"
#include "cli/configuration.hpp"
#include "cli/measuring.hpp"
#include "cli/option_helpers.hpp"
#include "cli/threshold_option.hpp"
#include "exchange/import_baseline.hpp"
#include "process/launcher.hpp"
#include "testbed/detect_source.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <ostream>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const ForeignFormatInfo& info : all_foreign_formats()) {
    names.emplace_back(info.name);
  }
  return names;
}

std::string formats_in_words() {
  std::string text = "Formats:";
  const char* separator = " ";
  for (const ForeignFormatInfo& info : all_foreign_formats()) {
    text += fmt::format("{}{} ({})", separator, info.name, info.description);
    separator = "; ";
  }
  return text + ".";
}

const std::string k_description =
    "Reads values and limits that other tools keep and writes them into the baseline of this testbed, as those tools "
    "mean them: a SwiftNIO limit allows what is at most the limit and above the limit less 1000, remaining allocations "
    "-4 to 4, no leaked descriptor; observed totals and package-benchmark's references allow no change, or --threshold "
    "to either side. What lies below is an improvement: 'check --on-improvement fail' fails on it, as those tools do. "
    "Entries of other workloads stay. A damaged file is refused and nothing is written.\n\n" +
    formats_in_words();

const CommandHelp k_help = {
    "baseline import",
    "takes over limits, logs and thresholds of other tools",
    "[OPTIONS] FILE...",
    k_description,
    {{"allocgate baseline import Thresholds/6.1.json --suite nio", "SwiftNIO's limits for one toolchain."},
     {"allocgate baseline import Thresholds/*.p90.json --threshold 5%",
      "package-benchmark's files, with the tolerance that stood in its code."}},
    {{"0", "written, or nothing to change"},
     {"64", "wrong use"},
     {"65", "a file or the old baseline is damaged, or two files differ; nothing was written"}},
};

ForeignFormat format_named(const std::string& name) {
  for (const ForeignFormatInfo& info : all_foreign_formats()) {
    if (info.name == name) {
      return info.format;
    }
  }
  throw Error(ExitCode::internal_error, "no such format: " + name);
}

ForeignSuites read_files(const std::vector<std::string>& names, const std::string& format, const std::string& suite,
                         const Streams& streams) {
  std::vector<ForeignFile> files;
  for (const std::string& name : names) {
    const std::string text = read_file(name);
    files.push_back(read_foreign(format.empty() ? guess_foreign_format(text, name) : format_named(format), text, name));
    for (const std::string& note : files.back().notes) {
      streams.err << "allocgate: " << note << "\n";
    }
  }
  return merge_foreign(files, suite);
}

}  // namespace

const CommandHelp& CommandBaselineImport::help() const {
  return k_help;
}

void CommandBaselineImport::setup(CLI::App& app) {
  app.add_option("FILE", m_options.files, "The files, of one or of several formats");
  app.add_option("--as", m_options.format, "Their format (default: guessed from each file)")
      ->type_name(joined(format_names(), "|"))
      ->check(CLI::IsMember(format_names()).description(""));
  app.add_option("--suite", m_options.suite, "The suite of files that name none, as SwiftNIO's")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--iterations", m_options.iterations, "Iterations over which the values are totals")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{std::numeric_limits<std::int32_t>::max()}).description(""))
      ->capture_default_str();
  app.add_option("--threshold", m_options.threshold,
                 "What values without a limit of their own allow, to either side: 1%, 5; or 10..20")
      ->type_name("VALUE");
  app.add_option("-m,--reason", m_options.reason, "Why, kept in the baseline (default: the files' names)")
      ->type_name("TEXT");
  add_baseline_folder(app, m_options.baseline, "a new one here");
  app.add_flag("--dry-run", m_options.dry_run, "Print the difference and write nothing");
  m_options.output.setup(app, {"text", "json"});
}

void CommandBaselineImport::check() {
  if (m_options.files.empty()) {
    throw Error(ExitCode::usage, "it takes a file at least");
  }
  if (m_options.suite.empty() || m_options.suite.find('/') != std::string::npos) {
    throw Error(ExitCode::usage, "--suite is the name of a file without its folder, and not empty");
  }
  if (!m_options.threshold.empty()) {
    parse_threshold(m_options.threshold);
  }
}

int CommandBaselineImport::run(const Streams& streams) {
  const BaselineStore store(baselines_folder_to_write(m_options.baseline, load_configuration({})));
  const ForeignSuites suites = read_files(m_options.files, m_options.format, m_options.suite, streams);
  PosixLauncher launcher;
  ImportOptions options;
  options.iterations = m_options.iterations;
  options.reason = m_options.reason.empty() ? "imported from " + joined(m_options.files, ", ") : m_options.reason;
  options.time = now_text();
  if (const auto source = detect_source({}, launcher)) {
    options.commit = source->commit + (source->dirty ? "-dirty" : "");
  }
  if (!m_options.threshold.empty()) {
    options.tolerance = parse_threshold(m_options.threshold);
  }
  const Testbed testbed = own_testbed("system", {});
  // Every old file is read, and so refused if it is damaged, before the first one is written.
  std::vector<BaselineUpdate> updates;
  for (const auto& [suite, workloads] : suites) {
    const std::optional<Baseline> existing = store.load(testbed.id, suite);
    updates.push_back({!existing, import_baseline(existing, suite, workloads, testbed, options)});
  }
  show_updates(updates, store, m_options.output, streams);
  if (!m_options.dry_run) {
    write_updates(updates, store, streams);
  }
  return static_cast<int>(ExitCode::fine);
}

}  // namespace allocgate
