// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/error.hpp"
#include "json/suite_documents.hpp"
#include "measure/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace allocgate {
namespace {

constexpr std::string_view k_output_name = "benchmark.json";
constexpr std::size_t k_fewest_counts = 3;

/// Shortest first: how long a case must run, in seconds, for its ramp to pass three iteration counts. Ten times a step,
/// as the ramp grows.
constexpr std::array<std::string_view, 5> k_ramp_seconds = {"0.0001", "0.001", "0.01", "0.1", "1"};

/// Any time above 0 asks for one round before the ramp.
constexpr std::string_view k_warm_up_option = "--benchmark_min_warmup_time=0.000000001";

/// `name` as a regular expression that matches nothing else.
std::string filter_for(std::string_view name) {
  std::string escaped;
  for (const char character : name) {
    // Not the closing brackets: escaped, the POSIX grammar of some libraries refuses them.
    if (std::string_view("\\^$.|?*+()[{").find(character) != std::string_view::npos) {
      escaped += '\\';
    }
    escaped += character;
  }
  return fmt::format("--benchmark_filter=^{}$", escaped);
}

/// A google-benchmark program that knows nothing of us, started for one of its cases.
class GoogleBenchmarkProgram {
public:
  GoogleBenchmarkProgram(const WorkloadInfo& workload, const MeasureOptions& options, Launcher& launcher)
      : m_workload(workload), m_options(options), m_launcher(launcher) {}

  [[nodiscard]] std::vector<std::string> words(std::string_view seconds) const {
    return {m_workload.program.string(), filter_for(m_workload.name), fmt::format("--benchmark_min_time={}", seconds)};
  }

  void run(CountedLaunch& launch, std::vector<std::string> argv, CountedLaunch::Forwarder forwarder) {
    argv.push_back(fmt::format("--benchmark_out={}", launch.file(k_output_name).string()));
    argv.emplace_back("--benchmark_out_format=json");
    launch.run(std::move(argv), Environment::fixed(), LaunchSpec::Output::capture, forwarder, m_launcher);
  }

  /// What the case reported of itself: its error, its counters. Adds to `sample`.
  std::optional<Failure> add_report(const CountedLaunch& launch, ProcessSample& sample) const {
    if (auto failure = failure_of_windows(launch, m_options, m_workload.program, {})) {
      return failure;
    }
    const auto text = launch.text_of(k_output_name);
    if (!text) {
      return std::nullopt;
    }
    std::vector<GoogleBenchmarkRun> runs;
    try {
      runs = google_benchmark_from_json(*text, std::filesystem::path(k_output_name));
    } catch (const Error& error) {
      // The counts came by the record, so they stand without the program's own report.
      sample.notes.push_back(fmt::format("the program's own counters are not shown: {}", error.what()));
      return std::nullopt;
    }
    for (const GoogleBenchmarkRun& run : runs) {
      if (!run.error.empty()) {
        return Failure{WorkloadStatus::failed, fmt::format("the workload reports: {}", run.error)};
      }
    }
    if (!runs.empty() && !runs.front().aggregate) {
      add_counters(sample, sample.iterations, runs.front().counters);
    }
    return std::nullopt;
  }

protected:
  const WorkloadInfo& m_workload;
  const MeasureOptions& m_options;
  Launcher& m_launcher;
};

/// Shared libbenchmark: preloaded forwarders publish a window for each round of the ramp.
class ForwardedSampler final : public Sampler, private GoogleBenchmarkProgram {
public:
  using GoogleBenchmarkProgram::GoogleBenchmarkProgram;

  [[nodiscard]] std::vector<std::string> command() const override { return words(k_ramp_seconds[m_step]); }

  SampleOrFailure take() override {
    for (;;) {
      CountedLaunch launch(m_options);
      std::vector<std::string> argv = command();
      argv.emplace_back(k_warm_up_option);
      run(launch, std::move(argv), CountedLaunch::Forwarder::yes);
      ProcessSample sample;
      const std::vector<RecordWindow> windows = warm_windows(launch.contents().windows);
      if (windows.empty()) {
        if (auto failure = failure_of_windows(launch, m_options, m_workload.program, {})) {
          return *failure;
        }
        return Failure{WorkloadStatus::blind,
                       "no window came back: its calls of libbenchmark do not pass the preloaded forwarders"};
      }
      sample.iterations = windows.front().iterations;
      if (auto failure = add_report(launch, sample)) {
        return *failure;
      }
      if (!m_settled && counts_of(windows) < k_fewest_counts && m_step + 1 < k_ramp_seconds.size()) {
        ++m_step;
        continue;
      }
      m_settled = true;
      fill(sample, launch, windows);
      return sample;
    }
  }

  StackRun record(const StackCapture& capture) override {
    // Which window is the first after the warm-up shows only when the program has run.
    std::size_t window = 1;
    for (unsigned attempt = 0; attempt < k_most_attempts; ++attempt) {
      CountedLaunch launch(m_options);
      launch.record_stacks(capture, window);
      std::vector<std::string> argv = command();
      argv.emplace_back(k_warm_up_option);
      run(launch, std::move(argv), CountedLaunch::Forwarder::yes);
      ProcessSample sample;
      if (auto failure = add_report(launch, sample)) {
        return failed_run(std::move(*failure), command());
      }
      const std::vector<RecordWindow>& windows = launch.contents().windows;
      const std::size_t first_warm = windows.size() - warm_windows(windows).size();
      if (first_warm == window) {
        return window_of(launch, command());
      }
      window = first_warm;
    }
    return failed_run({WorkloadStatus::failed,
                       "its warm-up takes another number of rounds each time, so no window of it can be chosen"},
                      command());
  }

private:
  static constexpr unsigned k_most_attempts = 10;

  /// The rounds after the warm-up: from the last that starts the ramp anew, or all but the first.
  static std::vector<RecordWindow> warm_windows(const std::vector<RecordWindow>& windows) {
    auto begin = windows.begin();
    for (auto window = windows.begin(); window != windows.end(); ++window) {
      if (window != windows.begin() && window->iterations == windows.front().iterations) {
        begin = window;
      }
    }
    return {begin, windows.end()};
  }

  static std::size_t counts_of(const std::vector<RecordWindow>& windows) {
    std::set<std::uint64_t> counts;
    for (const RecordWindow& window : windows) {
      counts.insert(window.iterations);
    }
    return counts.size();
  }

  void fill(ProcessSample& sample, const CountedLaunch& launch, const std::vector<RecordWindow>& windows) const {
    for (const RecordWindow& window : windows) {
      add_window(sample, window, launch.contents());
    }
    sample.size_classes = windows.front().counters.size_classes;
    add_processes(sample, launch, m_workload.program.string());
    if (counts_of(windows) < k_fewest_counts) {
      sample.notes.emplace_back(
          "it sets its own iteration count, so there are fewer than three to find a line through");
    }
  }

  std::size_t m_step = 0;
  bool m_settled = false;  // all processes run the ramp that the first one needed
};

/// Static libbenchmark: nothing but the whole process can be seen.
class OpaqueSampler final : public Sampler, private GoogleBenchmarkProgram {
public:
  using GoogleBenchmarkProgram::GoogleBenchmarkProgram;

  [[nodiscard]] std::vector<std::string> command() const override { return words("0"); }

  SampleOrFailure take() override {
    CountedLaunch launch(m_options);
    run(launch, command(), CountedLaunch::Forwarder::no);
    ProcessSample sample;
    if (auto failure = add_report(launch, sample)) {
      return *failure;
    }
    add_totals(sample, sample.iterations, launch, m_workload.program.string());
    sample.notes.emplace_back(
        "totals of the whole process at one iteration: the program has google-benchmark linked in statically, so its "
        "loop cannot be seen; link allocgate::benchmark to count the loop alone");
    return sample;
  }

  StackRun record(const StackCapture& capture) override {
    CountedLaunch launch(m_options);
    launch.record_stacks(capture);
    run(launch, command(), CountedLaunch::Forwarder::no);
    ProcessSample sample;
    if (auto failure = add_report(launch, sample)) {
      return failed_run(std::move(*failure), command());
    }
    StackRun run = whole_life_of(launch, command());
    run.iterations = sample.iterations;
    run.notes.emplace_back(
        "of the whole process: the program has google-benchmark linked in statically, so its loop cannot be seen");
    return run;
  }
};

}  // namespace

std::unique_ptr<Sampler> make_forwarded_sampler(const WorkloadInfo& workload, const MeasureOptions& options,
                                                Launcher& launcher) {
  return std::make_unique<ForwardedSampler>(workload, options, launcher);
}

std::unique_ptr<Sampler> make_opaque_sampler(const WorkloadInfo& workload, const MeasureOptions& options,
                                             Launcher& launcher) {
  return std::make_unique<OpaqueSampler>(workload, options, launcher);
}

}  // namespace allocgate
