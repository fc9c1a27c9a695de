// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The arena of blocks and process entries that this process counts into (allocgate/hook_record.h says what is in it):
// the runner's file, an anonymous shared mapping when there is no runner, or a small private one when neither can be
// had. Opened once an image; forked children inherit the mapping, so that a child which changed user, root folder or
// descriptor limit still counts. Never closes over a descriptor, never fails the host.
#pragma once

#include <allocgate/hook_record.h>
#include <stdint.h>

namespace allocgate::hooks {

enum class RecordKind : uint8_t { none, runner, shared, private_memory };

struct Record {
  allocgate_record_header* header = nullptr;
  allocgate_block* blocks = nullptr;
  allocgate_process_entry* processes = nullptr;
  allocgate_window_entry* windows = nullptr;
  allocgate_execution_entry* executions = nullptr;
  RecordKind kind = RecordKind::none;
};

extern Record g_record __attribute__((visibility("hidden")));

/* Chooses and maps the arena as the environment says. Called once an image, by one thread. */
void open_record();

/* Counts into private memory from now on: the image or child must not, or cannot, count into the record. */
void use_private_record();

/* Claims the next process entry and describes this process, whose id is `pid`, in it. Null when all are taken. */
allocgate_process_entry* claim_process_entry(int32_t pid, const allocgate_process_entry* forked_from);

/* Claims the next block for a thread whose storage is at `place`, and puts it on the process's list. Null when all are
 * taken. */
allocgate_block* claim_new_block(allocgate_process_entry& process, int32_t owner, uint64_t place);

/* Whether usable sizes are counted; yes while the record is not open, as their counts can be left out later. */
inline bool counts_usable_sizes() {
  return g_record.header == nullptr || g_record.header->level >= ALLOCGATE_LEVEL_USABLE;
}

inline allocgate_block* block_at(uint32_t index_plus_one) {
  return index_plus_one == 0 ? nullptr : g_record.blocks + (index_plus_one - 1);
}

/* Copies a path into the record, cut with its end kept. */
void copy_path(char (&target)[ALLOCGATE_PATH_CAPACITY], const char* path);

/* The value of a variable of the environment, or null: also where the libc has not set it up yet. */
const char* environment_value(const char* name);

}  // namespace allocgate::hooks
