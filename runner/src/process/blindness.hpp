// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Why a program cannot be counted, or not all of it, told from its file: sentences without a full stop that name the
// file and say what to do. For a script they are about its interpreter. They read files only and wait for nothing.
namespace allocgate {

/// Why `file` must not be started to be counted: the hooks cannot be in it, whatever happens, or it would crash with
/// them. Nothing when only a run can tell.
std::optional<std::string> reason_not_to_start(const std::filesystem::path& file);

/// Why the hooks did not start in `file`, which was started with them; nothing when the file gives no reason.
std::optional<std::string> reason_for_blindness(const std::filesystem::path& file);

/// Why allocations of `file`, in which the hooks did start, pass them by; nothing when the file gives no reason.
std::optional<std::string> reason_for_shadow(const std::filesystem::path& file);

/// The same, where the hooks themselves cannot tell.
std::optional<std::string> reason_for_hidden_shadow(const std::filesystem::path& file);

/// Why the system cannot start `file`, in other words than its own; nothing when the file gives no reason.
std::optional<std::string> reason_for_exec_failure(const std::filesystem::path& file);

/// What `file` takes memory from without malloc, and what is counted all the same: a heap of its language's runtime, an
/// allocator that is linked in under other names, an operator new of its own.
std::vector<std::string> uncounted_heap_notes(const std::filesystem::path& file);

}  // namespace allocgate
