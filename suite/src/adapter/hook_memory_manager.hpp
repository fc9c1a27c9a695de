// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

namespace allocgate {

/// Registers, once, a benchmark::MemoryManager that reports what the hooks count in each case's loop, so that
/// google-benchmark's own output has num_allocs, max_bytes_used, total_allocated_bytes and net_heap_growth. Does
/// nothing when the hooks are not loaded. Before main or on the main thread.
void register_hook_memory_manager();

}  // namespace allocgate
