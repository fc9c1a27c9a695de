// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/sample.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {
namespace {

/// A configured command: whole processes, one for each iteration count.
class CommandSampler final : public Sampler {
public:
  CommandSampler(const WorkloadInfo& workload, const MeasureOptions& options, Launcher& launcher)
      : m_workload(workload),
        m_options(options),
        m_launcher(launcher),
        m_iterations(std::max<std::uint64_t>(1, options.iterations != 0 ? options.iterations : workload.iterations)) {}

  [[nodiscard]] std::vector<std::string> command() const override { return words_for(m_iterations); }

  SampleOrFailure take() override {
    ProcessSample sample;
    sample.iterations = m_iterations;
    std::vector<std::uint64_t> counts = {m_iterations};
    if (takes_iterations()) {
      // N last: its processes are the ones that the result shows.
      counts = {3 * m_iterations, 2 * m_iterations, m_iterations};
    }
    const std::filesystem::path program =
        program_of(m_workload.command, Environment::fixed(), m_options.working_directory);
    for (const std::uint64_t count : counts) {
      CountedLaunch launch(m_options);
      launch.run(words_for(count), Environment::fixed(), LaunchSpec::Output::capture, CountedLaunch::Forwarder::no,
                 m_launcher);
      if (auto failure = failure_of_windows(launch, m_options, program, {})) {
        return *failure;
      }
      sample.notes.clear();
      add_totals(sample, count, launch, program.string());
    }
    return sample;
  }

  StackRun record(const StackCapture& capture) override {
    const std::filesystem::path program =
        program_of(m_workload.command, Environment::fixed(), m_options.working_directory);
    CountedLaunch launch(m_options);
    launch.record_stacks(capture);
    launch.run(command(), Environment::fixed(), LaunchSpec::Output::capture, CountedLaunch::Forwarder::no, m_launcher);
    if (auto failure = failure_of_windows(launch, m_options, program, {})) {
      return failed_run(std::move(*failure), command());
    }
    StackRun run = whole_life_of(launch, command());
    run.iterations = m_iterations;
    return run;
  }

private:
  [[nodiscard]] bool takes_iterations() const {
    return std::any_of(m_workload.command.begin(), m_workload.command.end(), [](const std::string& word) {
      return word.find(k_iterations_placeholder) != std::string::npos;
    });
  }

  [[nodiscard]] std::vector<std::string> words_for(std::uint64_t iterations) const {
    std::vector<std::string> words = m_workload.command;
    for (std::string& word : words) {
      const std::size_t at = word.find(k_iterations_placeholder);
      if (at != std::string::npos) {
        word.replace(at, k_iterations_placeholder.size(), fmt::format("{}", iterations));
      }
    }
    return words;
  }

  const WorkloadInfo& m_workload;
  const MeasureOptions& m_options;
  Launcher& m_launcher;
  std::uint64_t m_iterations;
};

}  // namespace

std::unique_ptr<Sampler> make_command_sampler(const WorkloadInfo& workload, const MeasureOptions& options,
                                              Launcher& launcher) {
  return std::make_unique<CommandSampler>(workload, options, launcher);
}

}  // namespace allocgate
