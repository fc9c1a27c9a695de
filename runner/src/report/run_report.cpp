// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/run_report.hpp"

#include "base/text.hpp"
#include "model/names.hpp"
#include "model/slope.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

namespace {

using Align = TextTable::Align;
using Cell = TextTable::Cell;

const Series* series_of(const WorkloadResult& workload, const std::string& measure) {
  const auto found = workload.measures.find(measure);
  return found == workload.measures.end() ? nullptr : &found->second;
}

std::string text_or_dash(const Series* series, std::string (*text)(const Series&)) {
  return series == nullptr ? "-" : text(*series);
}

/// What a reader compares between workloads; the rest is in the details and in the JSON.
TextTable table_of(const Result& result) {
  TextTable table({{"workload", Align::left, true},
                   {"allocations", Align::right},
                   {"once", Align::right},
                   {"bytes", Align::right},
                   {"live", Align::right},
                   {"class", Align::left}});
  for (const WorkloadResult& workload : result.workloads) {
    const Paint paint = paint_of(workload);
    if (workload.status != WorkloadStatus::ok) {
      table.add_row(
          {{workload.name, paint}, {"-"}, {""}, {"-"}, {"-"}, {std::string(name_of(workload.status)), paint}});
      continue;
    }
    const Series* allocations = series_of(workload, "allocations");
    const Series* live = series_of(workload, "live_allocations");
    table.add_row({{workload.name},
                   {text_or_dash(allocations, repeating_text), Paint::strong},
                   {allocations == nullptr ? "" : once_text(*allocations)},
                   {text_or_dash(series_of(workload, "allocated_bytes"), repeating_text)},
                   {text_or_dash(live, repeating_text),
                    live != nullptr && live->growth.value_or(0) > 0 ? Paint::bad : Paint::plain},
                   {allocations == nullptr ? "-" : std::string(name_of(allocations->series_class)), paint}});
  }
  return table;
}

/// What the table has no room for: measures that agree less than the allocations do, growth, and the notes.
std::vector<std::string> remarks_on(const WorkloadResult& workload) {
  std::vector<std::string> remarks;
  for (const std::string& name : measures_in_order(workload)) {
    const Series& series = workload.measures.at(name);
    const MeasureInfo* info = find_measure(name);
    if (series.series_class != SeriesClass::exact && info != nullptr && info->gated_by_default) {
      remarks.push_back(fmt::format("{} is {}: {} to {} in {} iterations over the processes ({})", name,
                                    name_of(series.series_class), grouped(series.min), grouped(series.max),
                                    grouped_unsigned(workload.iterations), modes_text(series.samples)));
    }
    if (name == "live_allocations" && series.growth.value_or(0) > 0) {
      remarks.push_back(fmt::format("live allocations grow: {}", series_text(series, workload.iterations)));
    }
  }
  if (const Series* allocations = series_of(workload, "allocations");
      allocations != nullptr && allocations->setup.value_or(0) != 0) {
    remarks.push_back(fmt::format("allocations: {}", series_text(*allocations, workload.iterations)));
  }
  remarks.insert(remarks.end(), workload.notes.begin(), workload.notes.end());
  return remarks;
}

struct Summary {
  std::size_t measured = 0;
  std::size_t failed = 0;
  std::size_t blind = 0;
};

Summary summary_of(const Result& result) {
  Summary summary;
  for (const WorkloadResult& workload : result.workloads) {
    if (workload.status == WorkloadStatus::ok) {
      ++summary.measured;
    } else if (workload.status == WorkloadStatus::blind) {
      ++summary.blind;
    } else {
      ++summary.failed;
    }
  }
  return summary;
}

std::string summary_line(const Result& result) {
  const Summary summary = summary_of(result);
  std::string text = counted(summary.measured, "workload") + " measured";
  text += summary.failed != 0 ? fmt::format(", {} failed", summary.failed) : "";
  text += summary.blind != 0 ? fmt::format(", {} blind", summary.blind) : "";
  return fmt::format("{} on {} in {}", text, result.testbed.id,
                     duration_text(std::chrono::nanoseconds(result.duration_ns)));
}

std::string size_lines(const WorkloadResult& workload) {
  std::vector<std::string> parts;
  for (std::size_t position = 0; position < k_size_classes; ++position) {
    const std::size_t slot = size_class_at(position);
    if (workload.size_classes[slot] != 0) {
      parts.push_back(fmt::format("{} x {}", grouped_unsigned(workload.size_classes[slot]), size_class_label(slot)));
    }
  }
  return parts.empty() ? std::string() : "sizes requested in bytes: " + joined(parts, ", ") + "\n";
}

/// Where the processes did not agree, which values they had.
std::string mode_lines(const WorkloadResult& workload, std::size_t width) {
  std::string text;
  for (const std::string& name : measures_in_order(workload)) {
    if (const std::string modes = modes_text(workload.measures.at(name).samples); !modes.empty()) {
      text += wrapped(fmt::format("values of {}: {}", name, modes), 2, width, 0);
    }
  }
  return text;
}

std::string process_lines(const WorkloadResult& workload, const Style& style, std::size_t width) {
  if (workload.processes.size() < 2) {
    return {};
  }
  TextTable table(
      {{"process", Align::right}, {"executable", Align::left, true}, {"allocations", Align::right}, {"end"}});
  for (const ProcessResult& process : workload.processes) {
    const auto allocations = process.measures.find("allocations");
    std::string end = process.end ? std::string(name_of(*process.end)) : "unknown";
    end += process.exit_code ? fmt::format(" {}", *process.exit_code) : "";
    table.add_row({{std::to_string(process.pid)},
                   {process.executable},
                   {allocations == process.measures.end() ? "-" : grouped(allocations->second)},
                   {end}});
  }
  return table.text(width, style);
}

/// Whether the classes stand on fewer processes than it takes to tell a value from a coincidence, as with --quick.
bool has_unproven_class(const Result& result) {
  constexpr std::uint64_t k_processes_that_prove = 3;
  return std::any_of(result.workloads.begin(), result.workloads.end(), [](const WorkloadResult& workload) {
    const Series* allocations = series_of(workload, "allocations");
    std::uint64_t processes = 0;
    for (const Sample& sample : allocations != nullptr ? allocations->samples : std::vector<Sample>()) {
      processes += sample.times;
    }
    return allocations != nullptr && processes < k_processes_that_prove;
  });
}

}  // namespace

Paint paint_of(const WorkloadResult& workload) {
  if (workload.status != WorkloadStatus::ok) {
    return Paint::bad;
  }
  const Series* allocations = series_of(workload, "allocations");
  return allocations != nullptr && allocations->series_class == SeriesClass::exact ? Paint::good : Paint::caution;
}

std::string run_report(const Result& result, const Style& style, std::size_t width) {
  std::string text = table_of(result).text(width, style);
  text += "(per iteration; \"once\" does not repeat)\n";
  if (has_unproven_class(result)) {
    text += "(fewer than 3 processes a workload: the classes are not proven)\n";
  }
  for (const WorkloadResult& workload : result.workloads) {
    if (workload.status != WorkloadStatus::ok) {
      text += fmt::format("\n{} {}\n", style.painted(std::string(name_of(workload.status)) + ":", Paint::bad),
                          workload.name);
      text += indented_lines(workload.error, 2);
    }
    for (const std::string& remark : remarks_on(workload)) {
      text += fmt::format("\n{} {}\n", style.painted("note:", Paint::caution), workload.name);
      text += indented_lines(remark, 2);
    }
  }
  return text + "\n" + summary_line(result) + "\n";
}

std::string workload_details(const WorkloadResult& workload, const Style& style, std::size_t width) {
  std::string text = fmt::format("{} (windows of N, 2 N and 3 N iterations, N = {})\n",
                                 style.painted(workload.name, Paint::strong), grouped_unsigned(workload.iterations));
  if (workload.status != WorkloadStatus::ok) {
    return text + fmt::format("  {}:\n", name_of(workload.status)) + indented_lines(workload.error, 2);
  }
  TextTable table({{"measure", Align::left, true},
                   {"per iteration", Align::right},
                   {"once", Align::right},
                   {"min", Align::right},
                   {"median", Align::right},
                   {"max", Align::right},
                   {"class"}});
  for (const std::string& name : measures_in_order(workload)) {
    const Series& series = workload.measures.at(name);
    table.add_row({{name},
                   {series.slope ? decimal_text(*series.slope) : "-"},
                   {once_text(series)},
                   {grouped(series.min)},
                   {grouped(series.median)},
                   {grouped(series.max)},
                   {std::string(name_of(series.series_class))}});
  }
  text += table.text(width, style) + mode_lines(workload, width) + size_lines(workload) +
          process_lines(workload, style, width);
  text += workload.command.empty() ? "" : "command: " + shell_quoted(workload.command) + "\n";
  for (const std::string& note : workload.notes) {
    text += "note: " + note + "\n";
  }
  return text;
}

std::string run_markdown(const Result& result) {
  std::string text = table_of(result).markdown() + "\n";
  for (const WorkloadResult& workload : result.workloads) {
    if (workload.status != WorkloadStatus::ok) {
      text += fmt::format("- **{}** `{}`: {}\n", name_of(workload.status), workload.name,
                          workload.error.substr(0, workload.error.find('\n')));
    }
    for (const std::string& remark : remarks_on(workload)) {
      text += fmt::format("- `{}`: {}\n", workload.name, remark);
    }
  }
  return text + "\n" + summary_line(result) + "\n";
}

}  // namespace allocgate
