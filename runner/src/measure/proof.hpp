// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "process/launcher.hpp"
#include "process/record_contents.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Whether a run may be believed. A count is shown as one only when the record proves that the hooks saw everything.
namespace allocgate {

/// Why a workload has no value.
struct Failure {
  WorkloadStatus status = WorkloadStatus::failed;
  std::string error;
};

/// What a bad end means for a measurement, with the program's last lines; nothing when it ended with exit code 0.
std::optional<Failure> failure_of_end(const LaunchOutcome& outcome, std::optional<std::chrono::milliseconds> timeout);

/// Why the record does not prove that `program`, started as outcome.pid, and its children were counted whole. `program`
/// is asked for the reason when its hooks never started. Reads the program's file and PATH.
std::optional<Failure> failure_of_proof(const LaunchOutcome& outcome, const RecordContents& contents,
                                        const std::filesystem::path& program);

/// Whether there was a program to start.
bool was_started(const LaunchOutcome& outcome);

/// Why a command, which ends as it likes, was not counted: it was not started, ran out of time, or the proof fails.
std::optional<Failure> failure_of_command(const LaunchOutcome& outcome, const RecordContents& contents,
                                          std::optional<std::chrono::milliseconds> timeout,
                                          const std::filesystem::path& program);

/// What a reader of the counts must know of the processes, one sentence each: children that still run, children whose
/// end nobody saw.
std::vector<std::string> process_notes(const LaunchOutcome& outcome, const RecordContents& contents);

/// Those of them that are about the programs: what no hook of malloc sees there, each named once.
std::vector<std::string> executable_notes(const RecordContents& contents);

/// "SIGSEGV (Segmentation fault)".
std::string signal_text(int signal);

}  // namespace allocgate
