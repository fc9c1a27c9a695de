// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Runs one program with the hooks preloaded into a record of its own, and tells what the record then holds: what the
// command does, in a form small enough to test the hooks without it.
#pragma once

#include <allocgate/hooks.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace allocgate::hooks_test {

struct RunOptions {
  uint32_t level = ALLOCGATE_LEVEL_COUNTS;
  uint32_t blocks = 256;
  uint32_t processes = 64;
  uint32_t executions = 64;
  uint32_t version = ALLOCGATE_RECORD_VERSION;
  bool follow_children = true;
  bool with_record = true;
  std::string hooks_library = HOOKS_LIBRARY;
  std::string preload_before = {};  // a library in front of the hooks
  std::string preload_after = {};   // an allocator below the hooks
  std::vector<std::string> environment = {};
  std::string shell_prefix = {};  // run through sh: "ulimit -v 100000; exec", descriptors closed, …
};

struct RecordedProcess {
  int32_t pid = 0;
  int32_t parent_pid = 0;
  uint32_t state = 0;
  uint32_t flags = 0;
  uint32_t threads = 0;
  uint32_t blocks = 0;
  std::optional<int> exit_code;
  std::string executable;
  std::string uncounted_object;
  allocgate_counters counters = {};
};

struct RecordedExecution {
  uint32_t state = 0;
  int32_t pid = 0;
  int32_t parent_pid = 0;
  bool image_is_ours = false;
  std::string program;
};

struct RecordedRun {
  std::optional<int> exit_code;  // absent when a signal ended it
  int signal = 0;
  std::string output;  // standard output and standard error as they came
  uint32_t images_not_counted = 0;
  uint32_t blocks_claimed = 0;
  std::vector<RecordedProcess> processes;
  std::vector<RecordedExecution> executions;
  allocgate_counters total = {};

  int64_t live_allocations() const { return static_cast<int64_t>(total.allocations - total.deallocations); }
};

/* Runs the command to its end. A test that cannot even start it fails by exception. */
RecordedRun run(const std::vector<std::string>& command, const RunOptions& options = {});

/* Runs a shell line without the hooks; its output, or nothing when it failed. */
std::optional<std::string> output_of(const std::string& shell_line);

}  // namespace allocgate::hooks_test
