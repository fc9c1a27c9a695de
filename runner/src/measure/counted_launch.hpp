// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/measure_workload.hpp"
#include "measure/stack_run.hpp"
#include "process/environment.hpp"
#include "process/hook_record.hpp"
#include "process/launcher.hpp"
#include "process/stack_contents.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace allocgate {

/// The file that `command` starts in `environment` and `working_directory` (empty: the caller's), for questions about
/// it; its name where there is none.
std::filesystem::path program_of(const std::vector<std::string>& command, const Environment& environment,
                                 const std::filesystem::path& working_directory = {});

/// One start of a program with the hooks in it: its record, and the private folder in which the program may leave what
/// else it has to say. The folder goes with this object. One thread.
class CountedLaunch {
public:
  enum class Forwarder { no, yes };

  explicit CountedLaunch(const MeasureOptions& options);

  /// A path for a file that the program is asked to write.
  [[nodiscard]] std::filesystem::path file(std::string_view name) const { return m_record.folder() / name; }
  /// What the program wrote there; nothing when it did not.
  [[nodiscard]] std::optional<std::string> text_of(std::string_view name) const;

  /// Has the hooks record call stacks too, in what run() starts: of everything, or of the loop that is published as the
  /// window of that number alone, counted from 0.
  void record_stacks(const StackCapture& capture, std::optional<std::size_t> window = std::nullopt);

  /// Starts argv in `environment`, to which the hooks' variables are added.
  void run(std::vector<std::string> argv, Environment environment, LaunchSpec::Output output, Forwarder forwarder,
           Launcher& launcher);

  /// What run() starts, for a caller that starts it itself; its counts are then read with `counts_now`.
  [[nodiscard]] LaunchSpec spec_of(std::vector<std::string> argv, Environment environment, Forwarder forwarder) const;
  [[nodiscard]] RecordContents counts_now() const { return m_record.read(); }

  [[nodiscard]] const LaunchOutcome& outcome() const { return m_outcome; }
  [[nodiscard]] const RecordContents& contents() const { return m_contents; }
  /// What was recorded of call stacks; empty without record_stacks().
  [[nodiscard]] const std::vector<StackSection>& stack_sections() const { return m_stack_sections; }

private:
  const MeasureOptions& m_options;
  HookRecord m_record;
  LaunchOutcome m_outcome;
  RecordContents m_contents;
  std::vector<std::pair<std::string, std::string>> m_stack_variables;
  std::vector<StackSection> m_stack_sections;
};

}  // namespace allocgate
