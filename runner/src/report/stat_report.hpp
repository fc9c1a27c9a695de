// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "report/style.hpp"

#include <cstddef>
#include <string>

namespace allocgate {

/// What one command allocated, for people, in the manner of perf stat. `ending` says how it ended.
std::string stat_report(const WorkloadResult& workload, const std::string& ending, const Style& style,
                        std::size_t width);

/// A server under `load`, a shell line: what an iteration of it allocates and what happens once, by process.
std::string server_report(const WorkloadResult& workload, const std::string& load, const std::string& ending,
                          const Style& style, std::size_t width);

}  // namespace allocgate
