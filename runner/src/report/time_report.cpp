// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/time_report.hpp"

#include "base/text.hpp"
#include "compare/time_remarks.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace allocgate {

namespace {

using Align = TextTable::Align;

constexpr std::string_view k_legend =
    "(without the hooks; an iteration's time is that of the middle run, the fastest, and the 90th percentile of all; "
    "instructions and memory are of the whole process)";

const Series* series_of(const WorkloadResult& workload, const std::string& measure) {
  const auto found = workload.measures.find(measure);
  return found == workload.measures.end() ? nullptr : &found->second;
}

std::string time_text(Count nanoseconds, const WorkloadResult& workload) {
  return duration_text(std::chrono::nanoseconds(nanoseconds / static_cast<Count>(workload.iterations)));
}

bool has(const Result& result, const std::string& measure) {
  return std::any_of(result.workloads.begin(), result.workloads.end(),
                     [&measure](const WorkloadResult& workload) { return series_of(workload, measure) != nullptr; });
}

TextTable table_of(const Result& result) {
  std::vector<TextTable::Column> columns = {{"workload", Align::left, true},
                                            {"wall", Align::right},
                                            {"fastest", Align::right},
                                            {"p90", Align::right},
                                            {"CPU", Align::right}};
  std::vector<std::string> counts;  // only those that were measured of any workload
  for (const auto& [measure, head] : {std::pair("instructions", "instructions"), {"peak_resident_bytes", "memory"}}) {
    if (has(result, measure)) {
      counts.emplace_back(measure);
      columns.push_back({head, Align::right});
    }
  }
  TextTable table(std::move(columns));
  for (const WorkloadResult& workload : result.workloads) {
    const Series* wall = series_of(workload, "wall_time_ns");
    const Series* cpu = series_of(workload, "cpu_time_ns");
    if (wall == nullptr && series_of(workload, "instructions") == nullptr) {
      continue;
    }
    std::vector<TextTable::Cell> cells = {{workload.name},
                                          {wall == nullptr ? "-" : time_text(wall->median, workload), Paint::strong},
                                          {wall == nullptr ? "-" : time_text(wall->min, workload)},
                                          {wall == nullptr ? "-" : time_text(wall->p90.value_or(wall->max), workload)},
                                          {cpu == nullptr ? "-" : time_text(cpu->median, workload)}};
    for (const std::string& measure : counts) {
      const Series* series = series_of(workload, measure);
      cells.push_back({series == nullptr ? "-" : grouped(series->median)});
    }
    table.add_row(std::move(cells));
  }
  return table;
}

/// One sentence each, with the workload's name.
std::vector<std::string> remarks(const Result& result, std::string_view quote) {
  std::vector<std::string> sentences;
  for (const WorkloadResult& workload : result.workloads) {
    for (const auto& remark : {processor_remark(workload), spread_remark(workload)}) {
      if (remark) {
        sentences.push_back(fmt::format("{0}{1}{0}: {2}", quote, workload.name, *remark));
      }
    }
  }
  return sentences;
}

}  // namespace

std::string time_report(const Result& result, const Style& style, std::size_t width) {
  const TextTable table = table_of(result);
  if (table.empty()) {
    return {};
  }
  std::string text = "\n" + table.text(width, style) + wrapped(k_legend, 0, width, 0);
  const std::vector<std::string> sentences = remarks(result, "");
  text += sentences.empty() ? "" : "\n";
  for (const std::string& sentence : sentences) {
    text += wrapped(sentence, 2, width, 0);
  }
  return text;
}

std::string time_markdown(const Result& result) {
  const TextTable table = table_of(result);
  if (table.empty()) {
    return {};
  }
  std::string text = "\n" + table.markdown() + "\n";
  for (const std::string& remark : remarks(result, "`")) {
    text += "- " + remark + "\n";
  }
  return text;
}

}  // namespace allocgate
