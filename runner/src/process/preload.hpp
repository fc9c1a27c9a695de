// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

/// The library of an allocator under test.
struct Allocator {
  std::string name;            // "system", "mimalloc", ... or the path: the testbed's field `allocator`
  std::filesystem::path path;  // empty for the system's own
};

/// The allocator that `--allocator` names: system, mimalloc, jemalloc, tcmalloc, or the path of a library. Throws Error
/// (64) that says which folders were searched and which package to install, or why the file is no library.
Allocator find_allocator(std::string_view name);

/// What is loaded into a measured program before its own libraries.
struct Preload {
  std::filesystem::path hooks;
  std::filesystem::path allocator;  // empty: the system's
  std::filesystem::path forwarder;  // empty: none
  std::string existing;             // LD_PRELOAD of the caller, kept after ours
};

/// The value of LD_PRELOAD: hooks first, or nothing would reach them; then the allocator, then the rest. LD_PRELOAD has
/// no quoting, so a library whose path the loader would split or expand is reached through a link in `folder`. Throws
/// Error (3) when a library is missing, which the loader would only warn about, or when `folder` is unfit itself.
std::string preload_value(const Preload& preload, const std::filesystem::path& folder);

}  // namespace allocgate
