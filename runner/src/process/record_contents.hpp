// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/measure.hpp"
#include "model/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace allocgate {

/// What was counted, by one process or in one window. The usable sizes are zero below ALLOCGATE_LEVEL_USABLE.
struct RecordCounters {
  Count allocations = 0;
  Count deallocations = 0;
  Count reallocations = 0;
  Count failed_allocations = 0;
  Count allocated_bytes = 0;
  Count allocated_usable_bytes = 0;
  Count deallocated_bytes = 0;
  Count live_bytes = 0;
  Count peak_live_bytes = 0;
  SizeClasses size_classes{};
};

/// One image: a process between two execs.
struct RecordProcess {
  std::size_t entry = 0;  // its place in the record, which it keeps
  std::int64_t pid = 0;
  std::int64_t parent_pid = 0;
  std::string executable;        // printable
  std::string uncounted_object;  // printable: which object the flags below are about; empty when that is not known
  bool exited = false;           // its own hooks saw its end
  std::optional<int> exit_code;
  bool forked = false;           // the same executable as its parent, not a new image
  bool several_threads = false;  // the peak is right to within threads x 4096 bytes
  bool events_lost = false;      // a thread found no block
  bool windows_lost = false;
  bool shadowed = false;         // some object's calls do not reach the hooks
  bool own_new = false;          // operator new is the program's own: what its pools hand out is not seen
  bool stacks_refused = false;   // call stacks were asked for and could not be recorded at all
  bool other_namespace = false;  // dlmopen loaded a second libc, whose heap is not counted
  std::uint32_t threads = 0;
  RecordCounters counters;
};

/// A window as it was published: what happened around `iterations` iterations.
struct RecordWindow {
  std::size_t process = 0;  // index in RecordContents::processes
  std::uint64_t iterations = 0;
  std::uint64_t duration_ns = 0;
  std::uint32_t threads = 1;
  bool peak_is_exact = false;
  std::optional<Count> open_fds;
  bool failed = false;       // the workload said so
  bool not_drained = false;  // other threads were still allocating after the loop
  bool has_stacks = false;   // its call stacks are in the process's stack record
  RecordCounters counters;
};

/// A program that a counted process started, or became, and that has no image with hooks: it was not counted.
struct RecordBlindProgram {
  std::int64_t pid = 0;  // 0: the process that started it was gone before it knew
  std::int64_t parent_pid = 0;
  std::string program;  // printable
};

/// All that the measured processes left in one record, images in the order in which they started.
struct RecordContents {
  bool usable_sizes = false;
  bool follow_children = true;
  std::vector<RecordProcess> processes;
  std::vector<RecordWindow> windows;
  std::vector<RecordBlindProgram> blind_programs;  // in the order in which they were announced
  std::uint32_t images_not_counted = 0;
  bool exhausted = false;             // there were more processes or threads than the record has room for
  bool executions_exhausted = false;  // more programs were started than it has room for: a blind one may not be named
  /// Why the bytes are not what the hooks write, as a sentence; then the lists hold nothing. A measured program can
  /// write over its record.
  std::optional<std::string> damage;
};

/// How a record of the runner's making is laid out.
struct RecordLayout {
  std::uint32_t blocks = 0;
  std::uint32_t processes = 0;
  std::uint32_t windows = 0;
  std::uint32_t executions = 0;
};

/// The size in bytes of a record of that layout.
std::uint64_t record_size(const RecordLayout& layout);

/// The first bytes of a fresh record: its header. Everything after them is zero.
std::vector<std::byte> record_header(const RecordLayout& layout, bool usable_sizes, bool follow_children);

/// Reads a record made with `layout`. Pure; any bytes are allowed, and what contradicts itself is reported as damage.
RecordContents parse_record(std::span<const std::byte> bytes, const RecordLayout& layout);

}  // namespace allocgate
