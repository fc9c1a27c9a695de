// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/core_report.hpp"

#include "model/cores.hpp"
#include "model/slope.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace allocgate {

namespace {

using Align = TextTable::Align;
using Cell = TextTable::Cell;
using ByCore = std::map<std::string, const WorkloadResult*>;

constexpr std::string_view k_heading = "The same on different cores, allocations and bytes per iteration:\n";

/// Workload, and core, and its result: of what at least two cores have.
std::map<std::string, ByCore> shared_workloads(const Result& result) {
  std::map<std::string, ByCore> all;
  for (const WorkloadResult& workload : result.workloads) {
    const auto name = name_by_core(workload.name, cores_of(workload.name, workload.suite, workload.depends_on));
    if (name && workload.status == WorkloadStatus::ok) {
      all[name->workload].emplace(name->core, &workload);
    }
  }
  std::erase_if(all, [](const auto& entry) { return entry.second.size() < 2; });
  return all;
}

std::string value_text(const WorkloadResult& workload, const std::string& measure) {
  const auto found = workload.measures.find(measure);
  if (found == workload.measures.end()) {
    return "-";
  }
  const Series& series = found->second;
  if (series.slope) {
    return decimal_text(*series.slope);
  }
  const Count total = workload.gate == Gate::min ? series.min : series.median;
  return "~" + decimal_text(make_slope(total, workload.iterations));
}

Cell allocations_of(const WorkloadResult& workload) {
  return {value_text(workload, "allocations"), Paint::strong};
}

Cell bytes_of(const WorkloadResult& workload) {
  return {value_text(workload, "allocated_bytes")};
}

/// A column a core.
TextTable matrix_of(const std::map<std::string, ByCore>& workloads) {
  std::set<std::string> cores;
  for (const auto& [name, by_core] : workloads) {
    for (const auto& [core, workload] : by_core) {
      cores.insert(core);
    }
  }
  std::vector<TextTable::Column> columns = {{"workload", Align::left, true}};
  for (const std::string& core : cores) {
    columns.push_back({core, Align::right});
    columns.push_back({"bytes", Align::right});
  }
  TextTable table(std::move(columns));
  for (const auto& [name, by_core] : workloads) {
    std::vector<Cell> cells = {{name}};
    for (const std::string& core : cores) {
      const auto found = by_core.find(core);
      cells.push_back(found == by_core.end() ? Cell{} : allocations_of(*found->second));
      cells.push_back(found == by_core.end() ? Cell{} : bytes_of(*found->second));
    }
    table.add_row(std::move(cells));
  }
  return table;
}

/// A line a core: there are more cores than have room beside each other.
TextTable lines_of(const std::map<std::string, ByCore>& workloads) {
  TextTable table(
      {{"workload", Align::left, true}, {"core", Align::left}, {"allocations", Align::right}, {"bytes", Align::right}});
  for (const auto& [name, by_core] : workloads) {
    for (const auto& [core, workload] : by_core) {
      table.add_row(
          {{core == by_core.begin()->first ? name : ""}, {core}, allocations_of(*workload), bytes_of(*workload)});
    }
  }
  return table;
}

std::size_t widest_line(std::string_view text) {
  std::size_t widest = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    widest = std::max(widest, display_width(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return widest;
}

TextTable table_for(const std::map<std::string, ByCore>& workloads, std::size_t width) {
  TextTable matrix = matrix_of(workloads);
  const bool fits = widest_line(matrix.text(std::numeric_limits<std::size_t>::max(), Style())) <= width;
  return fits ? matrix : lines_of(workloads);
}

}  // namespace

std::string core_report(const Result& result, const Style& style, std::size_t width) {
  const std::map<std::string, ByCore> workloads = shared_workloads(result);
  return workloads.empty() ? std::string() : std::string(k_heading) + table_for(workloads, width).text(width, style);
}

std::string core_markdown(const Result& result, std::size_t width) {
  const std::map<std::string, ByCore> workloads = shared_workloads(result);
  return workloads.empty() ? std::string() : std::string(k_heading) + "\n" + table_for(workloads, width).markdown();
}

}  // namespace allocgate
