// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <filesystem>
#include <optional>

namespace allocgate {

/// Where what can be found out again is kept: ALLOCGATE_CACHE_DIR, else XDG_CACHE_HOME/allocgate, else
/// HOME/.cache/allocgate; nothing where none of them is set. It need not exist.
std::optional<std::filesystem::path> cache_folder();

}  // namespace allocgate
