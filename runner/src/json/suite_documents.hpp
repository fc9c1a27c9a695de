// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/suite.hpp"

#include <filesystem>
#include <string_view>
#include <vector>

namespace allocgate {

/// The listing that the adapter writes (allocgate.suite/1). Throws Error (65) as in json/documents.hpp.
std::vector<SuiteWorkload> suite_listing_from_json(std::string_view text, const std::filesystem::path& named);

/// The report of the windows (allocgate.suite-report/1), in their order. Throws Error (65).
std::vector<SuiteWindow> suite_report_from_json(std::string_view text, const std::filesystem::path& named);

/// The runs of google-benchmark's own JSON, 1.7 and later. Throws Error (65); in particular for the bare NaN and
/// Infinity that it writes for counters, which are not JSON: the place, the counter and the way out are named.
std::vector<GoogleBenchmarkRun> google_benchmark_from_json(std::string_view text, const std::filesystem::path& named);

}  // namespace allocgate
