// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/error.hpp"
#include "json/suite_documents.hpp"
#include "measure/sample.hpp"

#include <allocgate/suite_protocol.h>

#include <fmt/format.h>

#include <array>

namespace allocgate {
namespace {

constexpr std::string_view k_report_name = "report.json";

/// Counts from which N is chosen, best first, and how long a window of N may take.
constexpr std::array<std::uint64_t, 4> k_iteration_choices = {1000, 100, 10, 1};
constexpr std::uint64_t k_most_window_ns = 20'000'000;

/// A program that links the adapter: it runs the windows that it is asked for.
class AdapterSampler final : public Sampler {
public:
  AdapterSampler(const WorkloadInfo& workload, const MeasureOptions& options, Launcher& launcher)
      : m_workload(workload),
        m_options(options),
        m_launcher(launcher),
        m_iterations(options.iterations != 0 ? options.iterations : workload.iterations) {}

  [[nodiscard]] std::vector<std::string> command() const override { return {m_workload.program.string()}; }

  SampleOrFailure take() override {
    if (m_iterations == 0) {
      if (auto failure = calibrate()) {
        return *failure;
      }
    }
    CountedLaunch launch(m_options);
    const std::uint64_t n = m_iterations;
    const std::vector<std::uint64_t> counts = {n, n, 2 * n, 3 * n};
    std::vector<SuiteWindow> reports;
    if (auto failure = run(launch, counts, reports)) {
      return *failure;
    }
    ProcessSample sample;
    const auto& windows = launch.contents().windows;
    sample.iterations = windows[1].iterations;
    for (std::size_t index = 1; index < counts.size(); ++index) {  // the first is the warm-up
      add_window(sample, windows[index], launch.contents());
      if (index < reports.size()) {
        add_counters(sample, windows[index].iterations, reports[index].counters);
      }
    }
    sample.size_classes = windows[1].counters.size_classes;
    add_processes(sample, launch, m_workload.program.string());
    return sample;
  }

  StackRun record(const StackCapture& capture) override {
    if (m_iterations == 0) {
      if (auto failure = calibrate()) {
        return failed_run(std::move(*failure), command());
      }
    }
    CountedLaunch launch(m_options);
    constexpr std::size_t k_after_warm_up = 1;
    launch.record_stacks(capture, k_after_warm_up);
    std::vector<SuiteWindow> reports;
    if (auto failure = run(launch, {m_iterations, m_iterations}, reports)) {
      return failed_run(std::move(*failure), command());
    }
    return window_of(launch, command());
  }

private:
  /// Chooses N by the time of one warm iteration.
  std::optional<Failure> calibrate() {
    CountedLaunch launch(m_options);
    std::vector<SuiteWindow> reports;
    if (auto failure = run(launch, {1, 1}, reports)) {
      return failure;
    }
    const std::uint64_t once = launch.contents().windows.back().duration_ns;
    m_iterations = k_iteration_choices.back();
    for (const std::uint64_t choice : k_iteration_choices) {
      if (once <= k_most_window_ns / choice) {
        m_iterations = choice;
        break;
      }
    }
    return std::nullopt;
  }

  std::optional<Failure> run(CountedLaunch& launch, const std::vector<std::uint64_t>& counts,
                             std::vector<SuiteWindow>& reports) {
    Environment environment = Environment::fixed();
    environment.set(ALLOCGATE_ENV_SUITE_WORKLOAD, m_workload.name);
    environment.set(ALLOCGATE_ENV_SUITE_WINDOWS, fmt::format("{}", fmt::join(counts, ",")));
    environment.set(ALLOCGATE_ENV_SUITE_REPORT, launch.file(k_report_name).string());
    launch.run(command(), environment, LaunchSpec::Output::capture, CountedLaunch::Forwarder::no, m_launcher);
    if (auto failure = read_reports(launch, reports)) {
      return failure;
    }
    if (auto failure = failure_of_windows(launch, m_options, m_workload.program, reports)) {
      return failure;
    }
    const auto& windows = launch.contents().windows;
    if (windows.size() != counts.size()) {
      return Failure{WorkloadStatus::blind, fmt::format("{} of {} windows came back; does {} still have this workload?",
                                                        windows.size(), counts.size(), m_workload.program.string())};
    }
    for (std::size_t index = 0; index < counts.size(); ++index) {
      // More is right for KeepRunningBatch, which ends with a whole batch; the window says how many there were.
      if (windows[index].iterations < counts[index]) {
        return Failure{WorkloadStatus::failed, fmt::format("a window of {} iterations was asked for and one of {} came",
                                                           counts[index], windows[index].iterations)};
      }
    }
    return std::nullopt;
  }

  std::optional<Failure> read_reports(const CountedLaunch& launch, std::vector<SuiteWindow>& reports) const {
    const auto text = launch.text_of(k_report_name);
    if (!text) {
      return std::nullopt;  // a program that crashed wrote none; its end says why
    }
    try {
      reports = suite_report_from_json(*text, launch.file(k_report_name));
    } catch (const Error& error) {
      if (auto failure = failure_of_end(launch.outcome(), m_options.timeout)) {
        return failure;
      }
      return Failure{WorkloadStatus::failed, error.what()};
    }
    return std::nullopt;
  }

  const WorkloadInfo& m_workload;
  const MeasureOptions& m_options;
  Launcher& m_launcher;
  std::uint64_t m_iterations;
};

}  // namespace

std::unique_ptr<Sampler> make_adapter_sampler(const WorkloadInfo& workload, const MeasureOptions& options,
                                              Launcher& launcher) {
  return std::make_unique<AdapterSampler>(workload, options, launcher);
}

}  // namespace allocgate
