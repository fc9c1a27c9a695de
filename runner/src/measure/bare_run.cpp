// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/bare_run.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "json/suite_documents.hpp"
#include "measure/sample.hpp"
#include "process/environment.hpp"
#include "process/preload.hpp"

#include <allocgate/suite_protocol.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

namespace allocgate {
namespace {

constexpr std::string_view k_callgrind_file = "callgrind.";

/// How `workload` is started for `iterations`, by the sampler that counts it too.
std::vector<std::string> words_for(const WorkloadInfo& workload, std::uint64_t iterations, Launcher& launcher) {
  MeasureOptions options;
  options.iterations = iterations;
  switch (workload.kind) {
    case SuiteKind::adapter:
      return make_adapter_sampler(workload, options, launcher)->command();
    case SuiteKind::forwarded:
    case SuiteKind::opaque:
      return make_opaque_sampler(workload, options, launcher)->command();
    case SuiteKind::command:
      return make_command_sampler(workload, options, launcher)->command();
  }
  return {};
}

/// What the processor counted; where it had to share its counters, as much as it would have been in all the time.
Count whole_count(const PerfCount& count) {
  if (count.running_ns == 0 || count.running_ns >= count.enabled_ns) {
    return static_cast<Count>(count.value);
  }
  const double share = static_cast<double>(count.enabled_ns) / static_cast<double>(count.running_ns);
  return static_cast<Count>(static_cast<double>(count.value) * share);
}

/// The number behind "totals:" in a file of callgrind.
std::optional<Count> total_in(const std::string& text) {
  constexpr std::string_view k_mark = "\ntotals: ";
  const std::size_t at = text.rfind(k_mark);
  if (at == std::string::npos) {
    return std::nullopt;
  }
  Count total = 0;
  const char* digits = text.data() + at + k_mark.size();
  const std::from_chars_result end = std::from_chars(digits, text.data() + text.size(), total);
  return end.ec == std::errc{} ? std::optional(total) : std::nullopt;
}

}  // namespace

BareRun::BareRun(const WorkloadInfo& workload, const TimePlan& plan, Launcher& launcher)
    : m_workload(workload), m_plan(plan), m_launcher(launcher) {}

bool BareRun::takes_iterations() const {
  if (m_workload.kind == SuiteKind::adapter) {
    return true;
  }
  return m_workload.kind == SuiteKind::command &&
         std::any_of(m_workload.command.begin(), m_workload.command.end(),
                     [](const std::string& word) { return word.find(k_iterations_placeholder) != std::string::npos; });
}

LaunchSpec BareRun::spec_for(std::uint64_t iterations) const {
  Environment environment = Environment::fixed();
  if (m_workload.kind == SuiteKind::adapter) {
    environment.set(ALLOCGATE_ENV_SUITE_WORKLOAD, m_workload.name);
    environment.set(ALLOCGATE_ENV_SUITE_WINDOWS, fmt::format("{0},{0}", iterations));
    environment.set(ALLOCGATE_ENV_SUITE_REPORT, report().string());
  }
  Preload preload;
  preload.allocator = find_allocator(m_plan.allocator).path;
  if (const std::string value = preload_value(preload, m_folder.path()); !value.empty()) {
    environment.set("LD_PRELOAD", value);
  }
  LaunchSpec spec;
  spec.argv = words_for(m_workload, iterations, m_launcher);
  spec.environment = environment.entries();
  spec.working_directory = m_workload.working_directory;
  spec.timeout = m_plan.timeout ? m_plan.timeout : m_workload.timeout;
  spec.end_descendants = true;
  return spec;
}

std::variant<BareRun::Values, Failure> BareRun::time(std::uint64_t iterations) {
  LaunchSpec spec = spec_for(iterations);
  spec.events = m_plan.events;
  const LaunchOutcome outcome = m_launcher.launch(spec);
  if (auto failure = failure_of_end(outcome, spec.timeout)) {
    return *failure;
  }
  const ResourceUse& used = outcome.used;
  Values values = {{"wall_time_ns", used.wall_time.count()},
                   {"cpu_time_ns", used.cpu_time.count()},
                   {"page_faults", used.page_faults},
                   {"context_switches", used.context_switches}};
  if (used.peak_resident_bytes) {
    values["peak_resident_bytes"] = *used.peak_resident_bytes;
  }
  for (std::size_t index = 0; index < std::min(used.events.size(), m_plan.event_names.size()); ++index) {
    values[m_plan.event_names[index]] = whole_count(used.events[index]);
  }
  if (m_workload.kind == SuiteKind::adapter) {
    if (auto failure = take_loop(values)) {
      return *failure;
    }
  }
  return values;
}

std::optional<Failure> BareRun::take_loop(Values& values) const {
  const auto failed = [](std::string why) { return Failure{WorkloadStatus::failed, std::move(why)}; };
  std::error_code error;
  if (!std::filesystem::is_regular_file(report(), error)) {
    return failed("it wrote no report");
  }
  std::vector<SuiteWindow> windows;
  try {
    windows = suite_report_from_json(read_file(report()), report());
  } catch (const Error& damaged) {
    return failed(damaged.what());
  }
  std::filesystem::remove(report(), error);
  if (windows.empty() || !windows.back().error.empty()) {
    return failed(windows.empty() ? "it reports no window" : "the workload reports: " + windows.back().error);
  }
  if (windows.back().times.empty()) {
    return failed("it is built with an adapter that does not time its loop: build it with this version of allocgate");
  }
  for (const auto& [name, value] : windows.back().times) {
    values[name] = value;
  }
  return std::nullopt;
}

std::variant<Count, Failure> BareRun::instructions(std::uint64_t iterations) {
  LaunchSpec spec = spec_for(iterations);
  const std::vector<std::string> valgrind = {
      m_plan.valgrind.value_or("valgrind").string(), "--tool=callgrind", "--trace-children=yes", "-q",
      fmt::format("--callgrind-out-file={}%p", (m_folder.path() / k_callgrind_file).string())};
  spec.argv.insert(spec.argv.begin(), valgrind.begin(), valgrind.end());
  const LaunchOutcome outcome = m_launcher.launch(spec);
  if (auto failure = failure_of_end(outcome, spec.timeout)) {
    return *failure;
  }
  std::error_code error;
  std::filesystem::remove(report(), error);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(m_folder.path(), error)) {
    if (entry.path().filename().string().starts_with(k_callgrind_file)) {
      files.push_back(entry.path());
    }
  }
  Count sum = 0;
  for (const std::filesystem::path& file : files) {
    const auto total = total_in(read_file(file));
    std::filesystem::remove(file, error);
    if (!total) {
      return Failure{WorkloadStatus::failed, "callgrind wrote a file without a total"};
    }
    sum += *total;
  }
  if (files.empty()) {
    return Failure{WorkloadStatus::failed, "callgrind wrote no file; is it a program that valgrind can run?"};
  }
  return sum;
}

}  // namespace allocgate
