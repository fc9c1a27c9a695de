// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Says in the process's entry which objects' calls do not reach the hooks. Any thread, but not from inside a request:
// the loader's lock is taken (reference_check.hpp says when).
#pragma once

#include <allocgate/hook_record.h>

namespace allocgate::hooks {

/* Checks again if anything may have changed. Nothing in a forked or vfork child, which inherits what was found: another
 * thread's lock of the loader may have been copied with it. */
void check_what_is_not_counted();

/* A forked child's entry inherits only what stays as it is: its parent may yet find that a wrapper passes calls on. */
void forget_what_may_change(allocgate_process_entry& child);

}  // namespace allocgate::hooks
