// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_init.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/ci_snippet.hpp"
#include "cli/configuration.hpp"
#include "cli/option_helpers.hpp"
#include "cli/output_options.hpp"
#include "json/documents.hpp"
#include "measure/find_benchmarks.hpp"
#include "report/values.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <ostream>
#include <set>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

const CommandHelp k_help = {
    "init",
    "writes allocgate.json and what CI needs",
    "[OPTIONS]",
    "Looks for google-benchmark programs in a build folder, writes allocgate.json with them into the working "
    "directory, "
    "and prints what makes CI run the gate and the command that comes next. Where there is none, the file holds a "
    "command as an example, to be replaced by one of your own.",
    {{"allocgate init", "The programs below build*/."},
     {"allocgate init --build-dir out/release --ci github", "Another folder, and a workflow for GitHub."}},
    {{"0", "written"}, {"1", "a file cannot be written"}, {"64", "wrong use; a file is there already"}},
};

std::vector<fs::path> build_folders(const std::vector<std::string>& named) {
  if (!named.empty()) {
    return {named.begin(), named.end()};
  }
  std::vector<fs::path> folders;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::current_path(), error)) {
    if (entry.path().filename().string().starts_with("build") && entry.is_directory(error)) {
      folders.push_back(entry.path().filename());
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

struct FoundSuites {
  std::vector<std::string> suites;
  std::vector<std::string> passed_over;  // of a name that another one has
  std::optional<std::string> build;
};

FoundSuites find_suites(const std::vector<std::string>& named) {
  FoundSuites found;
  std::set<std::string> names;
  for (const fs::path& folder : build_folders(named)) {
    if (!fs::is_directory(folder)) {
      throw Error(ExitCode::usage,
                  fmt::format("there is no build folder '{}'; build first, or name another", folder.string()));
    }
    for (const fs::path& program : find_benchmark_programs(folder)) {
      const std::string path = program.lexically_normal().string();
      if (!names.insert(program.filename().string()).second) {
        found.passed_over.push_back(path);
        continue;
      }
      found.suites.push_back(path);
      if (!found.build && fs::exists(folder / "CMakeCache.txt") && fs::exists("CMakeLists.txt")) {
        const std::string quoted = shell_quoted(folder.string());
        found.build = fmt::format("cmake -S . -B {0} && cmake --build {0}", quoted);
      }
    }
  }
  return found;
}

Configuration configuration_with(const FoundSuites& found) {
  Configuration configuration;
  configuration.build = found.build;
  configuration.suites = found.suites;
  if (found.suites.empty()) {
    ConfiguredWorkload example;
    example.name = "example";
    example.command = {"seq", "{iterations}"};
    example.iterations = 1000;
    configuration.workloads = {example};
  }
  return configuration;
}

void refuse_to_overwrite(const fs::path& file) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(file, error))) {
    throw Error(ExitCode::usage, fmt::format("{} is there already and was not touched; --force overwrites it, or edit "
                                             "it by hand",
                                             file.string()));
  }
}

std::string report_on(const FoundSuites& found, const std::string& program) {
  std::string text = fmt::format("wrote {}", k_configuration_file);
  if (found.suites.empty()) {
    text +=
        ", with a command as an example: no google-benchmark program was found\n"
        "replace it by your own, in any language; {iterations} stands for a count\n";
  } else {
    text += fmt::format(", with {}:\n", counted(found.suites.size(), "google-benchmark program"));
    for (const std::string& suite : found.suites) {
      text += fmt::format("  {}\n", suite);
    }
  }
  for (const std::string& path : found.passed_over) {
    text += fmt::format("passed over, because another has its name: {}\n", path);
  }
  const std::array<std::string, 5> next = {program, "baseline", "update", "--reason", "first baseline"};
  return text +
         fmt::format("\nnext: measure, accept, commit the new folder, and check from then on\n  {}\n  {} check\n",
                     shell_quoted(next), shell_quoted(program));
}

}  // namespace

const CommandHelp& CommandInit::help() const {
  return k_help;
}

void CommandInit::setup(CLI::App& app) {
  add_repeatable(app, "--build-dir", m_options.build_folders, "DIR",
                 "Where google-benchmark programs are looked for (default: build*)");
  app.add_option("--ci", m_options.ci, "Write the file for this CI service instead of printing both")
      ->type_name("github|gitlab")
      ->check(CLI::IsMember({"github", "gitlab"}).description(""));
  app.add_flag("--force", m_options.force, "Overwrite files that are there");
}

int CommandInit::run(const Streams& streams) {
  const FoundSuites found = find_suites(m_options.build_folders);
  const Configuration configuration = configuration_with(found);
  std::optional<CiSnippet> ci;
  if (!m_options.ci.empty()) {
    ci = ci_snippet(m_options.ci, configuration.build);
  }
  const fs::path file = k_configuration_file;
  if (!m_options.force) {
    refuse_to_overwrite(file);
    if (ci) {
      refuse_to_overwrite(ci->file);
    }
  }
  const std::optional<fs::path> above = nearest_configuration(fs::current_path().parent_path());
  write_file_atomically(file, configuration_to_json(configuration));
  if (above) {
    streams.err << fmt::format("allocgate: from this folder on it takes the place of {}\n", above->string());
  }
  std::string text = report_on(found, streams.program);
  if (ci) {
    write_file_atomically(ci->file, ci->text);
    text += fmt::format("\nwrote {}\n", ci->file);
    text += ci->hint.empty() ? "" : fmt::format("  {}\n", ci->hint);
  } else {
    for (const std::string_view service : {"github", "gitlab"}) {
      const CiSnippet snippet = ci_snippet(service, configuration.build);
      text +=
          fmt::format("\nfor CI, {} (`allocgate init --force --ci {}`):\n\n{}", snippet.file, service, snippet.text);
    }
  }
  deliver(text, {}, streams.out);
  return static_cast<int>(ExitCode::fine);
}

}  // namespace allocgate
