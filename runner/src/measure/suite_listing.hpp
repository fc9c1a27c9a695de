// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "process/launcher.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// How a workload is started, and so how its windows are seen.
enum class SuiteKind {
  adapter,    // links allocgate::benchmark: any iteration count, exact windows
  forwarded,  // shared libbenchmark only: windows by preloaded forwarders, at the counts of its own ramp
  opaque,     // static libbenchmark without the adapter: whole-process totals at one iteration
  command,    // no google-benchmark program: whole-process totals, at N, 2N and 3N where the command takes a count
};

/// One workload as its program, or the configuration, describes it.
struct WorkloadInfo {
  std::string name;
  std::string suite;  // the program's file name without its folder
  std::filesystem::path program;
  std::vector<std::string> command;  // SuiteKind::command only; "{iterations}" in a word stands for the count
  SuiteKind kind = SuiteKind::forwarded;
  std::string core;  // "asio", empty for programs that do not say
  std::string core_version;
  std::string exercises;         // one line
  std::uint64_t iterations = 0;  // N; 0: chosen by the runner
  unsigned threads = 1;
  std::optional<Gate> gate;
  std::vector<std::string> depends_on;
  std::vector<std::string> does_not_depend_on;       // as model/argument_rule.hpp says
  std::vector<WorkloadLayer> layers;                 // of a whole stack
  std::filesystem::path working_directory;           // empty: the caller's
  std::optional<std::chrono::milliseconds> timeout;  // of a process, unless MeasureOptions says one
};

/// What stands for the iteration count in the words of a configured command.
inline constexpr std::string_view k_iterations_placeholder = "{iterations}";

/// Asks `program` for its workloads: by the adapter's listing, else by google-benchmark's own. Throws Error (64 no such
/// program, 3 it failed, did not answer in time or is no google-benchmark program) with the program's last lines.
std::vector<WorkloadInfo> list_suite(const std::filesystem::path& program, Launcher& launcher);

}  // namespace allocgate
