// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace allocgate {

/// Which of `names` the `patterns` mean, as indexes in ascending order: a name, a glob, or /a regular expression/ that
/// is found anywhere in the name. No pattern means all. Throws Error (64) for a pattern that means none, with the
/// nearest name, and for a regular expression that is none.
std::vector<std::size_t> select_workloads(std::span<const std::string> names, std::span<const std::string> patterns);

/// Whether `pattern` means `name`. Throws Error (64) as above.
bool pattern_means(const std::string& pattern, const std::string& name);

}  // namespace allocgate
