// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/measure_time.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "measure/bare_run.hpp"
#include "model/series.hpp"
#include "process/environment.hpp"
#include "process/find_program.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace allocgate {
namespace {

constexpr std::string_view k_instructions = "instructions";
constexpr std::size_t k_most_events = 16;  // of one process; process/supervisor.hpp
constexpr unsigned k_high_percentile = 90;
constexpr std::chrono::minutes k_default_timeout{5};
constexpr int k_slowdown_of_callgrind = 100;

void add_event(TimePlan& plan, const std::string& name) {
  const auto event = perf_event_named(name);
  if (!event) {
    throw Error(ExitCode::usage,
                fmt::format("--events: there is no event '{}'{}; known are {}, and raw ones as r01c4", name,
                            did_you_mean(name, perf_event_names()), joined(perf_event_names(), ", ")));
  }
  if (auto refusal = refusal_of_perf_event(*event, name)) {
    plan.absent.push_back(std::move(*refusal));
    return;
  }
  plan.event_names.push_back(name);
  plan.events.push_back(*event);
}

void add_series(const std::string& name, const std::vector<ProcessPoints>& processes, WorkloadResult& result) {
  auto series = make_series(name, processes, result.iterations);
  if (series) {
    series->p90 = percentile(series->samples, k_high_percentile);
    result.measures[name] = std::move(*series);
  }
}

void add_failure(const Failure& failure, std::string_view what, WorkloadResult& result) {
  result.notes.push_back(fmt::format("{} not measured: without the hooks, {}", what, failure.error));
}

void time_processes(BareRun& runs, const TimePlan& plan, WorkloadResult& result) {
  std::map<std::string, std::vector<ProcessPoints>> values;
  for (unsigned process = 0; process < plan.processes; ++process) {
    const auto timed = runs.time(result.iterations);
    if (const auto* failure = std::get_if<Failure>(&timed)) {
      add_failure(*failure, "its time is", result);
      return;
    }
    for (const auto& [name, value] : std::get<BareRun::Values>(timed)) {
      values[name].push_back({{result.iterations, value}});
    }
  }
  for (const auto& [name, processes] : values) {
    // A peak that some processes do not have is not known: theirs was below what is seen of any.
    if (processes.size() == plan.processes) {
      add_series(name, processes, result);
    }
  }
}

/// Two processes at N prove that it repeats; 2N and 3N tell what an iteration takes.
void count_instructions(BareRun& runs, WorkloadResult& result) {
  std::vector<std::uint64_t> counts = {1, 1};
  if (runs.takes_iterations()) {
    counts.insert(counts.end(), {2, 3});
  }
  std::vector<ProcessPoints> processes;
  for (const std::uint64_t times : counts) {
    const auto counted = runs.instructions(times * result.iterations);
    if (const auto* failure = std::get_if<Failure>(&counted)) {
      add_failure(*failure, "its instructions are", result);
      return;
    }
    const Point point{times * result.iterations, std::get<Count>(counted)};
    if (times == 1) {
      processes.push_back({point});
    } else {
      processes.front().push_back(point);
    }
  }
  add_series(std::string(k_instructions), processes, result);
}

}  // namespace

TimePlan plan_time(unsigned processes, InstructionCounter instructions, const std::vector<std::string>& events) {
  TimePlan plan;
  plan.processes = processes;
  if (instructions == InstructionCounter::callgrind) {
    const FoundProgram valgrind =
        find_program("valgrind", own_variable("PATH").value_or(std::string(k_default_search_path)));
    if (valgrind.kind != FoundProgram::Kind::found) {
      throw Error(ExitCode::not_measured,
                  "--instructions callgrind: valgrind is not installed or not in PATH; install the package valgrind");
    }
    plan.valgrind = valgrind.path;
  } else {
    add_event(plan, std::string(k_instructions));
    if (!plan.absent.empty()) {
      plan.absent.back() += "; --instructions callgrind counts them without one";
    }
  }
  std::set<std::string_view> seen = {k_instructions};
  for (const std::string& name : events) {
    if (seen.insert(name).second) {
      add_event(plan, name);
    }
  }
  if (plan.events.size() > k_most_events) {
    throw Error(ExitCode::usage, fmt::format("--events: at most {} events can be counted at once", k_most_events));
  }
  return plan;
}

void measure_time(const WorkloadInfo& workload, const TimePlan& given, Launcher& launcher, WorkloadResult& result) {
  if (result.status != WorkloadStatus::ok) {
    return;
  }
  TimePlan plan = given;
  plan.timeout = given.timeout.value_or(k_default_timeout);
  {
    BareRun runs(workload, plan, launcher);
    time_processes(runs, plan, result);
  }
  if (plan.valgrind) {
    plan.timeout = *plan.timeout * k_slowdown_of_callgrind;
    BareRun runs(workload, plan, launcher);
    count_instructions(runs, result);
  }
  if (workload.kind != SuiteKind::adapter) {
    result.notes.emplace_back("its times are of the whole process, because its loop cannot be timed from outside");
  }
}

}  // namespace allocgate
