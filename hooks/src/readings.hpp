// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Adds up the counters of blocks and processes. Reads only; a reading made while others count is exact for the events
// that ended before it began. Any thread.
#pragma once

#include <allocgate/hooks.h>

namespace allocgate::hooks {

/* Adds one block's counters. The peak is a process's, so a block has none. */
void add_block(allocgate_counters& sum, const allocgate_block& block);

/* Adds all blocks of a process; its peak becomes the greater one of the sum's and its own. */
void add_process(allocgate_counters& sum, const allocgate_process_entry& process);

}  // namespace allocgate::hooks
