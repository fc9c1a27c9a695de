// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <filesystem>
#include <vector>

namespace allocgate {

/// The google-benchmark programs below `folder`, sorted: programs that need the shared library, and those that hold its
/// option's name because it is linked in. Nothing is started. Folders that cannot be read, hidden ones, links and the
/// build system's own (CMakeFiles) are passed over.
std::vector<std::filesystem::path> find_benchmark_programs(const std::filesystem::path& folder);

}  // namespace allocgate
