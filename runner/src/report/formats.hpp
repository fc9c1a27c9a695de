// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

enum class ReportFormat {
#define ALLOCGATE_REPORT_FORMAT(identifier, name, of_check, of_report, description) identifier,
#include "report/formats.def"
};

struct ReportFormatInfo {
  ReportFormat format;
  std::string_view name;
  bool of_check;
  bool of_report;
  std::string_view description;
};

/// The register, in the order of the table. Static storage.
std::span<const ReportFormatInfo> all_report_formats();

/// The names that `check`, or `report`, takes.
std::vector<std::string> check_format_names();
std::vector<std::string> report_format_names();

/// The format of that name, which must be one.
ReportFormat report_format_named(std::string_view name);

/// A paragraph of --help: "Formats: text (tables for people); ...", of those among `names`.
std::string formats_in_words(std::span<const std::string> names);

}  // namespace allocgate
