// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "exchange/foreign.hpp"

#include "base/error.hpp"
#include "exchange/package_benchmark.hpp"
#include "exchange/swift_nio.hpp"
#include "exchange/text_lines.hpp"
#include "json/cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace allocgate {

namespace {

constexpr auto k_formats = std::to_array<ForeignFormatInfo>({
#define ALLOCGATE_FOREIGN_FORMAT(identifier, name, description) {ForeignFormat::identifier, name, description},
#include "exchange/foreign_formats.def"
});

bool is_same(const Threshold& left, const Threshold& right) {
  const auto key = [](const Threshold& threshold) {
    return std::tuple(threshold.range.has_value(), threshold.range ? threshold.range->lowest : 0,
                      threshold.range ? threshold.range->highest : 0, threshold.thousandths, threshold.absolute);
  };
  return key(left) == key(right);
}

/// What the files said so far of one measure, and where.
struct Merged {
  std::optional<Count> observed;
  std::optional<Threshold> limit;
  std::string observed_at;
  std::string limit_at;
};

std::string place_of(const ForeignValue& value) {
  return fmt::format("{}: line {}", value.file.string(), value.line);
}

void add(Merged& merged, const ForeignValue& value) {
  const std::string about = value.workload + " " + value.measure;
  if (value.observed && merged.observed && *merged.observed != *value.observed) {
    refuse_line(
        value.file, value.line,
        fmt::format("{} is {} here and {} in {}", about, *value.observed, *merged.observed, merged.observed_at));
  }
  if (value.limit && merged.limit && !is_same(*merged.limit, *value.limit)) {
    refuse_line(value.file, value.line, fmt::format("the limit of {} is another one in {}", about, merged.limit_at));
  }
  if (value.observed) {
    merged.observed = value.observed;
    merged.observed_at = place_of(value);
  }
  if (value.limit) {
    merged.limit = value.limit;
    merged.limit_at = place_of(value);
  }
}

}  // namespace

std::span<const ForeignFormatInfo> all_foreign_formats() {
  return k_formats;
}

ForeignFormat guess_foreign_format(std::string_view text, const std::filesystem::path& file) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') {
    if (is_package_benchmark_name(file)) {
      return ForeignFormat::package_benchmark;
    }
    const LocatedDocument document(text, file, "nothing was written");
    const JsonCursor object(document);
    if (const auto schema = object.find("schema")) {
      schema->refuse("this is a file of allocgate itself, and `baseline update --from` takes results");
    }
    const auto members = object.members();
    const bool all_metrics = !members.empty() && std::all_of(members.begin(), members.end(), [](const auto& member) {
      return is_package_benchmark_metric(member.first);
    });
    return all_metrics ? ForeignFormat::package_benchmark : ForeignFormat::swift_nio_limits;
  }
  if (text.find("MAX_ALLOCS_ALLOWED_") != std::string_view::npos &&
      text.find(".total_allocations:") == std::string_view::npos) {
    return ForeignFormat::swift_nio_limits;
  }
  for (const TextLine& line : lines_of(text)) {
    if (line.text.starts_with("test_") || line.text.starts_with("info: ")) {
      return ForeignFormat::swift_nio_log;
    }
  }
  throw Error(ExitCode::unreadable_input,
              fmt::format("{}: line 1: it is none of the formats that are known; --as names the one it is meant to "
                          "have, 'baseline import --help' lists them; nothing was written",
                          file.string()));
}

ForeignFile read_foreign(ForeignFormat format, std::string_view text, const std::filesystem::path& file) {
  ForeignFile read;
  switch (format) {
    case ForeignFormat::swift_nio_limits:
      read = read_swift_nio_limits(text, file);
      break;
    case ForeignFormat::swift_nio_log:
      read = read_swift_nio_log(text, file);
      break;
    case ForeignFormat::package_benchmark:
      read = read_package_benchmark(text, file);
      break;
  }
  if (read.values.empty()) {
    const std::string_view name = k_formats[static_cast<std::size_t>(format)].name;
    refuse_line(file, 1, fmt::format("there is no value in it that {} has", name));
  }
  return read;
}

ForeignSuites merge_foreign(std::span<const ForeignFile> files, const std::string& suite) {
  std::map<std::tuple<std::string, std::string, std::string>, Merged> all;
  for (const ForeignFile& file : files) {
    for (const ForeignValue& value : file.values) {
      add(all[{value.suite.empty() ? suite : value.suite, value.workload, value.measure}], value);
    }
  }
  ForeignSuites suites;
  for (const auto& [key, merged] : all) {
    const auto& [own_suite, workload, measure] = key;
    ForeignMeasure& made = suites[own_suite][workload][measure];
    made.value = merged.observed ? *merged.observed : merged.limit->range->highest;
    made.limit = merged.limit;
  }
  return suites;
}

}  // namespace allocgate
