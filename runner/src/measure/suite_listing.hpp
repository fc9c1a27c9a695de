// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "process/launcher.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// What a google-benchmark program links, and so how its windows are seen.
enum class SuiteKind {
  adapter,    // links allocgate::benchmark: any iteration count, exact windows
  forwarded,  // shared libbenchmark only: windows by preloaded forwarders, at the counts of its own ramp
  opaque,     // static libbenchmark without the adapter: whole-process totals at one iteration
};

/// One workload as its program describes it.
struct WorkloadInfo {
  std::string name;
  std::string suite;  // the program's file name without its folder
  std::filesystem::path program;
  SuiteKind kind = SuiteKind::forwarded;
  std::string core;  // "asio", empty for programs that do not say
  std::string core_version;
  std::string exercises;         // one line
  std::uint64_t iterations = 0;  // N; 0: chosen by the runner
  unsigned threads = 1;
  std::optional<Gate> gate;
  std::vector<std::string> depends_on;
};

/// Asks `program` for its workloads. Throws Error (64 no such program, 3 it failed) with the program's last lines.
std::vector<WorkloadInfo> list_suite(const std::filesystem::path& program, Launcher& launcher);

}  // namespace allocgate
