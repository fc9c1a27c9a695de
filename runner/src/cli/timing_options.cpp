// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/timing_options.hpp"

#include "cli/option_helpers.hpp"

#include <CLI/CLI.hpp>

#include <sstream>
#include <string>

namespace allocgate {

namespace {

constexpr unsigned k_processes = 10;
constexpr unsigned k_most_processes = 1000;

}  // namespace

void TimingOptions::setup(CLI::App& app) {
  app.add_flag(
      "--time", time,
      "Measure time, instructions, page faults, context switches and peak memory, too: afterwards, without the "
      "hooks, one workload at a time");
  app.add_option("--time-processes", processes, "Processes a workload for --time (default: 10)")
      ->type_name("N")
      ->check(CLI::Range(1U, k_most_processes).description(""));
  app.add_option("--instructions", instructions,
                 "What counts instructions for --time: the processor's counter (default), or callgrind, which is exact "
                 "and slow and needs valgrind")
      ->type_name("perf|callgrind")
      ->check(CLI::IsMember({"perf", "callgrind"}).description(""));
  app.add_option("--events", events, "More counters for --time, as 'perf list' names them: cycles,cache-misses")
      ->type_name("NAME,...");
}

std::optional<TimePlan> TimingOptions::plan() const {
  if (!is_wanted()) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  std::istringstream words(events);
  for (std::string name; std::getline(words, name, ',');) {
    if (!name.empty()) {
      names.push_back(name);
    }
  }
  return plan_time(processes != 0 ? processes : k_processes,
                   instructions == "callgrind" ? InstructionCounter::callgrind : InstructionCounter::perf, names);
}

std::vector<std::string> TimingOptions::as_arguments() const {
  std::vector<std::string> arguments;
  if (time) {
    arguments.emplace_back("--time");
  }
  append_option(arguments, "--time-processes", processes != 0 ? std::to_string(processes) : std::string());
  append_option(arguments, "--instructions", instructions);
  append_option(arguments, "--events", events);
  return arguments;
}

}  // namespace allocgate
