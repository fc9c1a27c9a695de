// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/measure.hpp"
#include "model/threshold.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What files of other tools say about the allocations of workloads. Pure but for the Error thrown; any thread.
namespace allocgate {

enum class ForeignFormat {
#define ALLOCGATE_FOREIGN_FORMAT(identifier, name, description) identifier,
#include "exchange/foreign_formats.def"
};

struct ForeignFormatInfo {
  ForeignFormat format;
  std::string_view name;
  std::string_view description;
};

/// All of them, in the order of the table. Static storage.
std::span<const ForeignFormatInfo> all_foreign_formats();

/// One number of a file: an observation, a limit, or both.
struct ForeignValue {
  std::string suite;  // empty where the format has none
  std::string workload;
  std::string measure;            // ours
  std::optional<Count> observed;  // absent where the file has a limit only
  std::optional<Threshold> limit;
  std::filesystem::path file;
  std::size_t line = 0;
};

struct ForeignFile {
  std::vector<ForeignValue> values;
  std::vector<std::string> notes;  // what was left out, one sentence each
};

/// The format that `text` has. Throws Error (65) where it is none of them.
ForeignFormat guess_foreign_format(std::string_view text, const std::filesystem::path& file);

/// Every value in `text`. Throws Error (65) that names file, line and reason for what is damaged, and when there is
/// nothing in it at all.
ForeignFile read_foreign(ForeignFormat format, std::string_view text, const std::filesystem::path& file);

/// What several files say of one measure of one workload.
struct ForeignMeasure {
  Count value = 0;  // observed, or else the limit itself
  std::optional<Threshold> limit;
};

/// By suite, workload and measure.
using ForeignSuites = std::map<std::string, std::map<std::string, std::map<std::string, ForeignMeasure>>>;

/// The files together; `suite` is that of values without one. An observation and a limit complete each other. Throws
/// Error (65) when two files, or two lines, say different things.
ForeignSuites merge_foreign(std::span<const ForeignFile> files, const std::string& suite);

}  // namespace allocgate
