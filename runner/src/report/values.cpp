// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/values.hpp"

#include "base/text.hpp"
#include "model/slope.hpp"
#include "report/text_width.hpp"

#include <fmt/format.h>

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

std::string counted(std::size_t number, std::string_view singular) {
  return fmt::format("{} {}{}", grouped_unsigned(number), singular, number == 1 ? "" : "s");
}

std::string indented_lines(std::string_view text, std::size_t indent) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += std::string(indent, ' ') + on_one_line(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string with_part(const std::string& report, const std::string& part) {
  return part.empty() ? report : report + "\n" + part;
}

}  // namespace allocgate
