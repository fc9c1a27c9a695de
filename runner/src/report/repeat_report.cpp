// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/repeat_report.hpp"

#include "base/text.hpp"
#include "report/text_table.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

#include <cmath>

namespace allocgate {

namespace {

using Align = TextTable::Align;

std::string percent_text(const Series& series) {
  if (*series.repeat_spread == 0) {
    return {};
  }
  const double middle = std::abs(static_cast<double>(series.median));
  return middle == 0 ? "-" : fmt::format("{:.2f} %", 100.0 * static_cast<double>(*series.repeat_spread) / middle);
}

TextTable table_of(const Result& result) {
  TextTable table({{"workload", Align::left, true},
                   {"measure", Align::left},
                   {"median", Align::right},
                   {"spread", Align::right},
                   {"", Align::right}});
  for (const WorkloadResult& workload : result.workloads) {
    for (const std::string& name : measures_in_order(workload)) {
      const Series& series = workload.measures.at(name);
      if (series.repeat_spread) {
        table.add_row({{workload.name},
                       {name},
                       {grouped(series.median)},
                       {grouped(*series.repeat_spread), *series.repeat_spread == 0 ? Paint::good : Paint::caution},
                       {percent_text(series)}});
      }
    }
  }
  return table;
}

constexpr std::string_view k_legend = "(spread: the greatest median of the repeats minus the least)\n";

}  // namespace

std::string repeat_report(const Result& result, const Style& style, std::size_t width) {
  const TextTable table = table_of(result);
  return table.empty() ? std::string() : "\n" + table.text(width, style) + std::string(k_legend);
}

std::string repeat_markdown(const Result& result) {
  const TextTable table = table_of(result);
  return table.empty() ? std::string() : "\n" + table.markdown() + std::string(k_legend);
}

}  // namespace allocgate
