// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "exchange/foreign.hpp"
#include "model/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// The static threshold files of package-benchmark: TARGET.BENCHMARK.p90.json, a flat object of metrics and the integers
// that are the reference; what may differ from it stands in that benchmark's code, and without that nothing may.
namespace allocgate {

/// Whether `file` is named as one.
bool is_package_benchmark_name(const std::filesystem::path& file);

/// Whether `metric` is one of package-benchmark's allocation metrics that we have a measure for.
bool is_package_benchmark_metric(std::string_view metric);

/// Suite and workload come from the file's name, values from its text; metrics that are no counts of ours are left out
/// and said. Throws Error (65) as read_foreign does, also for a file of another name.
ForeignFile read_package_benchmark(std::string_view text, const std::filesystem::path& file);

struct PackageBenchmarkFile {
  std::string name;
  std::string text;
};

struct PackageBenchmarkFiles {
  std::vector<PackageBenchmarkFile> files;
  std::vector<std::string> left_out;  // workloads and measures that it cannot say, one sentence each
};

/// The files of `result`, one a workload: per iteration where that is a whole number, else left out; where there is no
/// line, the value at p90 over the processes if one iteration was measured. Names have "_" for spaces and slashes.
/// Throws Error (64) when two workloads would be one file.
PackageBenchmarkFiles package_benchmark_files(const Result& result);

}  // namespace allocgate
