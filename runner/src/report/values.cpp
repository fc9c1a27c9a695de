// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/values.hpp"

#include "base/text.hpp"
#include "model/slope.hpp"
#include "model/wide.hpp"
#include "report/text_width.hpp"

#include <fmt/format.h>

#include <sstream>

namespace allocgate {

std::vector<std::string> measures_in_order(const WorkloadResult& workload) {
  std::vector<std::string> names;
  for (const MeasureInfo& measure : all_measures()) {
    if (workload.measures.count(std::string(measure.name)) != 0) {
      names.emplace_back(measure.name);
    }
  }
  for (const auto& [name, series] : workload.measures) {
    if (find_measure(name) == nullptr) {
      names.push_back(name);
    }
  }
  return names;
}

std::string repeating_text(const Series& series) {
  return series.slope ? decimal_text(*series.slope) : grouped(series.median) + " total";
}

std::string once_text(const Series& series) {
  return series.setup && *series.setup != 0 ? grouped_with_sign(*series.setup) : std::string();
}

std::string verdict_value_text(const std::optional<Count>& value, const std::optional<Slope>& slope) {
  if (slope) {
    return decimal_text(*slope);
  }
  return value ? grouped(*value) : std::string("-");
}

std::string verdict_difference_text(const Verdict& verdict) {
  if (verdict.slope_before && verdict.slope_after) {
    const std::optional<Slope> change = difference(*verdict.slope_after, *verdict.slope_before);
    // A change of the set-up alone leaves the slope as it was: then the totals say what moved.
    if (change && change->count != 0) {
      return (change->count > 0 ? "+" : "") + decimal_text(*change);
    }
  }
  if (verdict.before && verdict.after) {
    Count change = 0;
    if (!__builtin_sub_overflow(*verdict.after, *verdict.before, &change)) {
      return change == 0 ? "0" : grouped_with_sign(change) + (verdict.slope_after ? " once" : "");
    }
  }
  return {};
}

std::string measured_text(const MeasuredValue& value) {
  if (!value.slope || !value.setup) {
    return grouped(value.value);
  }
  const std::string each = per_iteration_text(*value.slope);
  return *value.setup == 0 ? each : fmt::format("{} {} once", each, grouped_with_sign(*value.setup));
}

std::string short_measured_text(const MeasuredValue& value) {
  if (!value.slope || !value.setup) {
    return grouped(value.value) + " total";
  }
  const std::string each = decimal_text(*value.slope);
  return *value.setup == 0 ? each : fmt::format("{} {}", each, grouped_with_sign(*value.setup));
}

std::string measured_change_text(const MeasuredValue& before, const MeasuredValue& after) {
  const Wide total = static_cast<Wide>(after.value) - before.value;
  const std::optional<Slope> each =
      before.slope && after.slope ? difference(*after.slope, *before.slope) : std::nullopt;
  if (!each || !before.setup || !after.setup) {
    return grouped_with_sign(to_count(total).value_or(0));
  }
  std::vector<std::string> parts;
  if (each->count != 0) {
    parts.push_back(signed_per_iteration_text(*each));
  }
  if (const Count once = *after.setup - *before.setup; once != 0) {
    parts.push_back(fmt::format("{} once", grouped_with_sign(once)));
  }
  return parts.empty() ? "0" : joined(parts, ", ");
}

std::string place_text(const SourcePlace& place) {
  const std::string line = on_one_line(fmt::format("{}:{}", place.file, place.line));
  return place.function.empty() ? line : fmt::format("{} in {}", line, on_one_line(place.function));
}

std::string telling_line(const std::string& reason) {
  std::istringstream lines(reason);
  std::string first;
  std::getline(lines, first);
  std::string telling;
  for (std::string line; std::getline(lines, line);) {
    const bool is_error = line.find("error") != std::string::npos;
    telling = line;
    if (is_error) {
      break;
    }
  }
  const std::size_t begin = telling.find_first_not_of(" |");
  return begin == std::string::npos ? first : telling.substr(begin);
}

std::string counted(std::size_t number, std::string_view singular) {
  return fmt::format("{} {}{}", grouped_unsigned(number), singular, number == 1 ? "" : "s");
}

std::string indented_lines(std::string_view text, std::size_t indent) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += end == 0 ? "\n" : std::string(indent, ' ') + on_one_line(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string with_part(const std::string& report, const std::string& part) {
  return part.empty() ? report : report + "\n" + part;
}

}  // namespace allocgate
