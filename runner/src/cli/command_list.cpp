// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_list.hpp"

#include "base/text.hpp"
#include "cli/installation.hpp"
#include "cli/measuring.hpp"
#include "cli/option_helpers.hpp"
#include "cli/started_as.hpp"
#include "json/parts.hpp"
#include "model/names.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ostream>

namespace allocgate {

namespace {

const CommandHelp k_help = {
    "list",
    "lists the workloads and what they exercise",
    "[OPTIONS] [NAME...]",
    "Lists each workload with its core and the core's version, the iterations of its first window, its threads, its "
    "gate, "
    "what its counts depend on and what it exercises. With --commands, the environment and the command line with which "
    "'run' starts it, for other tools.",
    {{"allocgate list --core asio --core uv", "The workloads over Asio and libuv."},
     {"allocgate list --commands noop", "How 'run' starts one workload, to run it under a debugger."}},
    {{"0", "listed"}, {"3", "a suite program did not list its workloads"}, {"64", "wrong use; no workload matches"}},
};

std::string gate_text(const WorkloadInfo& workload) {
  return workload.gate ? std::string(name_of(*workload.gate)) : "-";
}

std::string core_text(const WorkloadInfo& workload) {
  return workload.core.empty() ? "-" : workload.core + " " + workload.core_version;
}

std::string number_or_dash(std::uint64_t number) {
  return number == 0 ? "-" : grouped_unsigned(number);
}

std::string layers_text(const WorkloadInfo& workload) {
  std::vector<std::string> parts;
  for (const WorkloadLayer& layer : workload.layers) {
    parts.push_back(layer.layer + " " + layer.workload);
  }
  return joined(parts, ", ");
}

std::string list_text(const std::vector<WorkloadInfo>& workloads, const Style& style) {
  TextTable table({{"workload", TextTable::Align::left, true},
                   {"core", TextTable::Align::left},
                   {"iterations", TextTable::Align::right},
                   {"threads", TextTable::Align::right},
                   {"gate", TextTable::Align::left}});
  for (const WorkloadInfo& workload : workloads) {
    table.add_row({{workload.name},
                   {core_text(workload)},
                   {number_or_dash(workload.iterations)},
                   {std::to_string(workload.threads)},
                   {gate_text(workload)}});
  }
  std::string text = table.text(k_report_width, style);
  for (const WorkloadInfo& workload : workloads) {
    if (workload.exercises.empty() && workload.depends_on.empty()) {
      continue;
    }
    text += "\n" + style.painted(workload.name, Paint::strong) + "\n";
    text += workload.exercises.empty() ? "" : wrapped(workload.exercises, 2, k_report_width, 2);
    text += workload.depends_on.empty()
                ? ""
                : wrapped("depends on: " + joined(workload.depends_on, ", "), 2, k_report_width, 2);
    text += workload.layers.empty() ? "" : wrapped("layers: " + layers_text(workload), 2, k_report_width, 2);
  }
  return text;
}

std::string left_out_text(const std::vector<LeftOutSuite>& left_out) {
  std::string text;
  for (const LeftOutSuite& suite : left_out) {
    text += fmt::format("\n{}: not built here: its core is not installed (Debian: {})\n", suite.name, suite.package);
  }
  return text;
}

std::string commands_text(const std::vector<WorkloadInfo>& workloads, const MeasureOptions& how, Launcher& launcher) {
  std::string text;
  for (const WorkloadInfo& workload : workloads) {
    text += fmt::format("# {}\n{}\n", workload.name, shell_line(started_as(workload, how, launcher)));
  }
  return text;
}

std::string list_json(const std::vector<WorkloadInfo>& workloads, const std::vector<LeftOutSuite>& left_out,
                      const MeasureOptions& how, Launcher& launcher) {
  JsonValue array = JsonValue::array();
  for (const WorkloadInfo& workload : workloads) {
    const StartedAs started = started_as(workload, how, launcher);
    JsonValue object = JsonValue::object();
    object.add("name", workload.name).add("suite", workload.suite).add("program", workload.program.string());
    if (!workload.core.empty()) {
      object.add("core", workload.core).add("core_version", workload.core_version);
    }
    if (!workload.exercises.empty()) {
      object.add("exercises", workload.exercises);
    }
    if (workload.iterations != 0) {
      object.add("iterations", workload.iterations);
    }
    object.add("threads", workload.threads);
    if (workload.gate) {
      object.add("gate", name_of(*workload.gate));
    }
    object.add("depends_on", JsonValue::array_of(workload.depends_on));
    if (!started.working_directory.empty()) {
      object.add("working_directory", started.working_directory.string());
    }
    object.add("environment", JsonValue::array_of(started.environment));
    object.add("command", JsonValue::array_of(started.argv));
    if (!workload.layers.empty()) {
      object.add("layers", to_json(workload.layers));
    }
    array.push(std::move(object));
  }
  JsonValue not_built = JsonValue::array();
  for (const LeftOutSuite& suite : left_out) {
    not_built.push(JsonValue::object().add("suite", suite.name).add("package", suite.package));
  }
  return to_json_text(JsonValue::object()
                          .add("schema", "allocgate.list/1")
                          .add("workloads", std::move(array))
                          .add("not_built", std::move(not_built)));
}

}  // namespace

const CommandHelp& CommandList::help() const {
  return k_help;
}

void CommandList::setup(CLI::App& app) {
  app.add_option("NAME", m_options.measuring.names, "Names, globs ('asio/*') or regular expressions ('/udp|tcp/')");
  app.add_option(
         "--suite", m_options.measuring.suites,
         "List the workloads of PROGRAM, any google-benchmark program; may be given several times (default: what "
         "allocgate.json says, else the installed suite)")
      ->type_name("PROGRAM")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_cores(app, m_options.measuring.cores);
  add_configuration_file(app, m_options.measuring.config);
  app.add_flag("--commands", m_options.commands, "Print how 'run' starts each, as a line for a shell");
  m_options.output.setup(app, {"text", "json"});
}

int CommandList::run(const Streams& streams) {
  const Installation installation = own_installation();
  PosixLauncher launcher;
  const LoadedConfiguration configuration = load_configuration(m_options.measuring.config);
  const FoundWorkloads found = find_workloads(m_options.measuring, configuration, installation, launcher);
  for (const WorkloadResult& program : found.unlistable) {
    streams.err << fmt::format("allocgate: {}: {}\n", program.name, program.error);
  }
  const std::vector<WorkloadInfo> workloads = selected(found.workloads, m_options.measuring.choice());
  const MeasureOptions how = m_options.measuring.measure_options(installation);
  const bool whole_suite = m_options.measuring.suites.empty() && m_options.measuring.choice().means_all();
  const std::vector<LeftOutSuite> left_out = whole_suite ? left_out_suites(installation) : std::vector<LeftOutSuite>();
  std::string text;
  if (m_options.output.chosen_format() == Format::json) {
    text = list_json(workloads, left_out, how, launcher);
  } else {
    text = m_options.commands ? commands_text(workloads, how, launcher)
                              : list_text(workloads, result_style(m_options.output, streams.out_is_terminal)) +
                                    left_out_text(left_out);
  }
  deliver(text, m_options.output, streams.out);
  return static_cast<int>(found.unlistable.empty() ? ExitCode::fine : ExitCode::not_measured);
}

}  // namespace allocgate
