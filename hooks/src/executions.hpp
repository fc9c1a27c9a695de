// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Announces in the record what this process starts or becomes, before it happens: an image that then does not tell of
// itself (another user's, static, without our environment) is thereby known by name. Any thread, and a vfork child,
// which shares its parent's memory. Allocates nothing and leaves errno alone.
#pragma once

#include <allocgate/hook_record.h>

namespace allocgate::hooks {

/* The announcement of a program that replaces the calling process; null where nobody would read it, or no room is left
 * (then `next_execution` says so). */
allocgate_execution_entry* announce_execution(const char* program);

/* The same of a program that a child of the calling process will run. */
allocgate_execution_entry* announce_child(const char* program);

/* The call came back with an error. Null is allowed, here and below. */
void take_back_announcement(allocgate_execution_entry* announcement);

/* The child has the given id. */
void complete_announcement(allocgate_execution_entry* announcement, int32_t pid);

/* To be called by a new image once its entry is in the record: marks the announcement that led to it. */
void answer_announcement(const allocgate_process_entry& process);

}  // namespace allocgate::hooks
