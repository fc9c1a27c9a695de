// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "process/launcher.hpp"

#include <filesystem>
#include <optional>

namespace allocgate {

/// The commit that is checked out in `folder`, its branch, and whether tracked files differ from it. Nothing when there
/// is no git or no repository: a result is complete without.
std::optional<Source> detect_source(const std::filesystem::path& folder, Launcher& launcher);

}  // namespace allocgate
