// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace allocgate {

namespace {

constexpr auto k_formats = std::to_array<ReportFormatInfo>({
#define ALLOCGATE_REPORT_FORMAT(identifier, name, of_check, of_report, description) \
  {ReportFormat::identifier, name, of_check, of_report, description},
#include "report/formats.def"
});

std::vector<std::string> names_where(bool ReportFormatInfo::*wanted) {
  std::vector<std::string> names;
  for (const ReportFormatInfo& info : k_formats) {
    if (info.*wanted) {
      names.emplace_back(info.name);
    }
  }
  return names;
}

}  // namespace

std::span<const ReportFormatInfo> all_report_formats() {
  return k_formats;
}

std::vector<std::string> check_format_names() {
  return names_where(&ReportFormatInfo::of_check);
}

std::vector<std::string> report_format_names() {
  return names_where(&ReportFormatInfo::of_report);
}

ReportFormat report_format_named(std::string_view name) {
  const auto found = std::find_if(k_formats.begin(), k_formats.end(),
                                  [name](const ReportFormatInfo& info) { return info.name == name; });
  assert(found != k_formats.end());
  return found->format;
}

std::string formats_in_words(std::span<const std::string> names) {
  std::string text = "Formats:";
  const char* separator = " ";
  for (const ReportFormatInfo& info : k_formats) {
    if (std::find(names.begin(), names.end(), info.name) != names.end()) {
      text += fmt::format("{}{} ({})", separator, info.name, info.description);
      separator = "; ";
    }
  }
  return text + ".";
}

}  // namespace allocgate
