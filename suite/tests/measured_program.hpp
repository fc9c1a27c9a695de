// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <allocgate/hook_record.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

// Runs a program under the hooks with a record of its own, as the runner does but without any of its code. Tests only;
// failures to prepare a run throw std::system_error.
namespace allocgate::test {

struct Program {
  std::filesystem::path path;
  std::vector<std::string> arguments = {};
  std::map<std::string, std::string> environment = {};  // nothing else but these, PATH, and what the run needs
  std::vector<std::filesystem::path> preload = {};      // in this order; empty: a plain run
  std::uint32_t level = ALLOCGATE_LEVEL_USABLE;
  unsigned inherited_descriptors = 0;
};

struct Outcome {
  int exit_code = -1;  // 128 + signal when it was killed
  std::string output;  // standard output and error, in one
  std::vector<allocgate_window_entry> windows;
  std::uint32_t images_not_counted = 0;
};

Outcome run(const Program& program);

/// What a program of the suite says it has: the line of its listing.
struct ListedWorkload {
  std::filesystem::path program;
  std::string line;
};

/// All workloads of all programs of the suite that were built, by name.
std::map<std::string, ListedWorkload> list_suite();

/// A folder of the running test's own, empty at its start.
std::filesystem::path test_folder();

std::string read_file(const std::filesystem::path& path);

/// A program that runs one workload by the suite protocol, with windows of these counts; the report is left at
/// `report_path()`.
Program suite_run(const std::filesystem::path& program, const std::string& workload, const std::string& windows);
std::filesystem::path report_path();

}  // namespace allocgate::test
