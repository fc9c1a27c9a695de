// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "exchange/swift_nio.hpp"

#include "base/error.hpp"
#include "exchange/text_lines.hpp"
#include "json/cursor.hpp"
#include "json/value.hpp"
#include "model/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace allocgate {

namespace {

// The script's own numbers.
constexpr Count k_band = 1000;
constexpr Count k_exact_below = 1000;
constexpr Count k_step = 50;
constexpr Count k_most_remaining = 4;

constexpr std::string_view k_variable = "MAX_ALLOCS_ALLOWED_";
constexpr std::string_view k_test = "test_";

/// One kind of line: what it is called in a log, and in what the checking script prints of it.
struct Metric {
  std::string_view log_name;
  std::string_view info_name;
  std::string_view measure;
};

constexpr auto k_metrics = std::to_array<Metric>({
    {"remaining_allocations", "allocations not freed", "live_allocations"},
    {"total_allocations", "total number of mallocs", "allocations"},
    {"total_allocated_bytes", "", "allocated_bytes"},
    {"leaked_fds", "leaked fds", "open_fds"},
});

Threshold range(Count lowest, Count highest) {
  Threshold threshold;
  threshold.range = Threshold::Range{lowest, highest};
  return threshold;
}

Threshold limit_range(Count limit) {
  return range(std::max<Count>(0, limit - k_band + 1), limit);
}

std::optional<Threshold> limit_of_observation(std::string_view measure) {
  if (measure == "live_allocations") {
    return range(-k_most_remaining, k_most_remaining);
  }
  return measure == "open_fds" ? std::optional(range(0, 0)) : std::nullopt;
}

bool is_name_character(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9') || character == '_';
}

/// NAME=N, NAME: N, with quotes around the number or the whole of it, as shells and compose files have it.
void add_variable(const TextLine& line, const std::filesystem::path& file, ForeignFile& read) {
  std::string_view rest = line.text.substr(line.text.find(k_variable) + k_variable.size());
  const std::size_t end =
      static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_name_character) - rest.begin());
  const std::string name(rest.substr(0, end));
  rest = trimmed(rest.substr(end));
  if (name.empty() || rest.empty() || (rest.front() != '=' && rest.front() != ':')) {
    refuse_line(file, line.number, fmt::format("{}NAME=N is wanted here", k_variable));
  }
  std::string_view value = trimmed(rest.substr(1));
  value = trimmed(value.substr(0, value.find(" #")));
  for (const char quote : {'"', '\''}) {
    value.remove_prefix(value.starts_with(quote) ? 1 : 0);
    value.remove_suffix(value.ends_with(quote) ? 1 : 0);
  }
  const auto limit = decimal_number(value);
  if (!limit || *limit < 0) {
    refuse_line(file, line.number, fmt::format("the limit of {} is '{}', and no number of 0 or more", name, value));
  }
  require_end(line, file);
  read.values.push_back({"", name, "allocations", std::nullopt, limit_range(*limit), file, line.number});
}

ForeignFile read_limits_json(std::string_view text, const std::filesystem::path& file) {
  const LocatedDocument document(text, file, "nothing was written");
  ForeignFile read;
  for (const auto& [name, member] : JsonCursor(document).members()) {
    if (name.empty()) {
      member.refuse("the name of this limit is empty");
    }
    const Count limit = member.integer();
    if (limit < 0) {
      member.refuse(fmt::format("the limit of {} is {}, which no count can keep", name, limit));
    }
    read.values.push_back({"", name, "allocations", std::nullopt, limit_range(limit), file, member.line()});
  }
  return read;
}

void add_observation(const std::string& workload, const Metric& metric, std::string_view number, const TextLine& line,
                     const std::filesystem::path& file, ForeignFile& read) {
  const auto value = decimal_number(trimmed(number));
  if (!value) {
    refuse_line(file, line.number, fmt::format("'{}' is no number", trimmed(number)));
  }
  const MeasureInfo* measure = find_measure(metric.measure);
  if (*value < 0 && !(measure != nullptr && measure->may_be_negative)) {
    refuse_line(file, line.number,
                fmt::format("{} of {} is {}: no run of it was valid, so there is nothing to import", metric.log_name,
                            workload, *value));
  }
  require_end(line, file);
  read.values.push_back(
      {"", workload, std::string(metric.measure), *value, limit_of_observation(metric.measure), file, line.number});
}

/// "test_NAME.METRIC: N".
void add_log_line(const TextLine& line, const std::filesystem::path& file, ForeignFile& read) {
  const std::string_view text = line.text.substr(k_test.size());
  const std::size_t dot = text.find('.');
  const std::size_t colon = text.find(':', std::min(dot, text.size()));
  if (dot == std::string_view::npos || dot == 0) {
    return;
  }
  const std::string workload(text.substr(0, dot));
  const std::string_view name = text.substr(dot + 1, colon == std::string_view::npos ? colon : colon - dot - 1);
  const auto metric = std::find_if(k_metrics.begin(), k_metrics.end(),
                                   [name](const Metric& candidate) { return candidate.log_name == name; });
  if (metric == k_metrics.end()) {
    const bool cut = !line.ended && colon == std::string_view::npos;
    if (cut) {
      require_end(line, file);
    }
    if (colon != std::string_view::npos && name.find(' ') == std::string_view::npos) {
      read.notes.push_back(fmt::format("{}: line {}: {} of {} has no measure of ours and was left out", file.string(),
                                       line.number, name, workload));
    }
    return;
  }
  if (colon == std::string_view::npos) {
    refuse_line(file, line.number, fmt::format("'{}' has no number", line.text));
  }
  add_observation(workload, *metric, text.substr(colon + 1), line, file, read);
}

/// "info: NAME: total number of mallocs: N".
void add_info_line(const TextLine& line, const std::filesystem::path& file, ForeignFile& read) {
  constexpr std::string_view k_info = "info: ";
  const std::string_view text = line.text.substr(k_info.size());
  const std::size_t name_end = text.find(": ");
  const std::size_t last = text.rfind(':');
  if (name_end == std::string_view::npos || last <= name_end + 1) {
    return;
  }
  const std::string_view what = text.substr(name_end + 2, last - name_end - 2);
  for (const Metric& metric : k_metrics) {
    if (!metric.info_name.empty() && metric.info_name == what) {
      add_observation(std::string(text.substr(0, name_end)), metric, text.substr(last + 1), line, file, read);
    }
  }
}

std::string shell_name(const std::string& workload) {
  std::string name = workload;
  std::replace_if(
      name.begin(), name.end(), [](char character) { return !is_name_character(character); }, '_');
  return name;
}

/// The measured workloads by the name that they have there.
std::map<std::string, const WorkloadResult*> by_shell_name(const Result& result, ForeignText& made) {
  std::map<std::string, const WorkloadResult*> found;
  for (const WorkloadResult* workload : sorted_workloads(result)) {
    if (workload->status != WorkloadStatus::ok) {
      made.left_out.push_back(
          fmt::format("{} is left out, because it was not measured: {}", workload->name, name_of(workload->status)));
      continue;
    }
    const auto [other, is_new] = found.emplace(shell_name(workload->name), workload);
    if (!is_new) {
      throw Error(ExitCode::usage,
                  fmt::format("{} and {} would both be {} in this format; rename one, or write them from two results",
                              other->second->name, workload->name, other->first));
    }
  }
  return found;
}

}  // namespace

ForeignFile read_swift_nio_limits(std::string_view text, const std::filesystem::path& file) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') {
    return read_limits_json(text, file);
  }
  ForeignFile read;
  for (const TextLine& line : lines_of(text)) {
    const std::size_t at = line.text.find(k_variable);
    const bool is_comment = trimmed(line.text).starts_with('#');
    if (at != std::string_view::npos && !is_comment) {
      add_variable(line, file, read);
    }
  }
  return read;
}

ForeignFile read_swift_nio_log(std::string_view text, const std::filesystem::path& file) {
  ForeignFile read;
  for (const TextLine& line : lines_of(text)) {
    if (line.text.starts_with(k_test)) {
      add_log_line(line, file, read);
    } else if (line.text.starts_with("info: ")) {
      add_info_line(line, file, read);
    }
  }
  return read;
}

ForeignText swift_nio_log(const Result& result) {
  ForeignText made;
  for (const auto& [name, workload] : by_shell_name(result, made)) {
    for (const Metric& metric : k_metrics) {
      const auto series = workload->measures.find(std::string(metric.measure));
      if (series != workload->measures.end()) {
        made.text += fmt::format("{}{}.{}: {}\n", k_test, name, metric.log_name, series->second.min);
      }
    }
  }
  return made;
}

Count swift_nio_limit(Count observed) {
  if (observed < k_exact_below || observed > std::numeric_limits<Count>::max() - k_step) {
    return observed;
  }
  return (observed / k_step + 1) * k_step;
}

ForeignText swift_nio_limits(const Result& result) {
  ForeignText made;
  JsonValue limits = JsonValue::object();
  for (const auto& [name, workload] : by_shell_name(result, made)) {
    const auto series = workload->measures.find("allocations");
    if (series != workload->measures.end()) {
      limits.add(name, swift_nio_limit(series->second.min));
    }
  }
  made.text = to_json_text(limits);
  return made;
}

}  // namespace allocgate
