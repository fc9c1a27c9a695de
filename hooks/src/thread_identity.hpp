// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Who a thread and a process are, asked of the kernel as seldom as can be: a sandbox may kill for the question. glibc
// keeps each thread's id, which fork() renews, and says for debuggers where. Asked all the same: by musl's programs, by
// children of a bare system call, after vfork, and for the pid of an exec in a child that counted nothing. Any thread,
// any signal handler.
#pragma once

#include <stdint.h>

namespace allocgate::hooks {

/* Finds where the C library keeps the ids, once an image. Without that (musl) the kernel is asked each time. */
void find_noted_thread_ids();

/* This thread's id. In a vfork child its parent's. */
int32_t thread_id();

/* The id of a forked child that nobody has asked before; `parent_thread` is the id that this thread had in its parent,
 * 0 if it had none. Where the C library did not see the fork (a bare system call), its notes are not used again. */
int32_t forked_process_id(int32_t parent_thread);

}  // namespace allocgate::hooks
