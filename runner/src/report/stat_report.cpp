// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/stat_report.hpp"

#include "base/text.hpp"
#include "model/names.hpp"
#include "model/slope.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

namespace allocgate {

namespace {

constexpr std::size_t k_number_width = 18;

Count median_of(const WorkloadResult& workload, const std::string& measure) {
  const auto found = workload.measures.find(measure);
  return found == workload.measures.end() ? 0 : found->second.median;
}

/// The remark beside a number: how it relates to another, or what it means.
std::string remark_on(const std::string& name, const Series& series, const WorkloadResult& workload) {
  if (series.samples.size() > 1) {
    return fmt::format("{} to {}, {}", grouped(series.min), grouped(series.max), name_of(series.series_class));
  }
  const Count allocations = median_of(workload, "allocations");
  if (name == "allocated_bytes" && allocations > 0) {
    return fmt::format("{:.1f} an allocation", static_cast<double>(series.median) / static_cast<double>(allocations));
  }
  if (name == "live_allocations") {
    return series.median < 0 ? "more was released than was counted as allocated" : "not released at the end";
  }
  return {};
}

std::string process_table(const WorkloadResult& workload, const Style& style, std::size_t width) {
  TextTable table({{"pid", TextTable::Align::right},
                   {"executable", TextTable::Align::left, true},
                   {"allocations", TextTable::Align::right},
                   {"bytes", TextTable::Align::right},
                   {"end"}});
  for (const ProcessResult& process : workload.processes) {
    const auto text_of = [&process](const char* measure) {
      const auto found = process.measures.find(measure);
      return found == process.measures.end() ? std::string("-") : grouped(found->second);
    };
    std::string end = process.end ? std::string(name_of(*process.end)) : "unknown";
    end += process.exit_code ? fmt::format(" {}", *process.exit_code) : "";
    table.add_row({{std::to_string(process.pid)},
                   {on_one_line(process.executable)},
                   {text_of("allocations")},
                   {text_of("allocated_bytes")},
                   {end}});
  }
  return table.text(width, style);
}

std::string note_lines(const WorkloadResult& workload, const Style& style) {
  std::string text = workload.notes.empty() ? "" : "\n";
  for (const std::string& note : workload.notes) {
    text += fmt::format(" {} {}\n", style.painted("note:", Paint::caution), note);
  }
  return text;
}

}  // namespace

std::string stat_report(const WorkloadResult& workload, const std::string& ending, const Style& style,
                        std::size_t width) {
  const std::string_view reach = workload.status == WorkloadStatus::blind ? ", as far as it was counted" : "";
  const std::size_t room = width - 17 - reach.size();
  std::string text = fmt::format("\n Allocations of {}{}:\n\n",
                                 shortened_in_the_middle(on_one_line(shell_quoted(workload.command)), room), reach);
  for (const std::string& name : measures_in_order(workload)) {
    const Series& series = workload.measures.at(name);
    const std::string number = grouped(series.median);
    const std::string remark = remark_on(name, series, workload);
    std::string line = std::string(number.size() < k_number_width ? k_number_width - number.size() : 0, ' ');
    line += style.painted(number, Paint::strong) + "  ";
    line += remark.empty() ? name : fmt::format("{:<24}  {}", name, style.painted(remark, Paint::faint));
    text += line + "\n";
  }
  if (workload.processes.size() > 1) {
    text += "\n" + process_table(workload, style, width);
  }
  return text + note_lines(workload, style) + "\n " + ending + "\n\n";
}

std::string server_report(const WorkloadResult& workload, const std::string& load, const std::string& ending,
                          const Style& style, std::size_t width) {
  constexpr std::size_t k_beside_names = 18;
  std::string text =
      fmt::format("\n Allocations of {}\n          during {}:\n\n",
                  shortened_in_the_middle(on_one_line(shell_quoted(workload.command)), width - k_beside_names),
                  shortened_in_the_middle(on_one_line(load), width - k_beside_names));
  TextTable table({{"measure", TextTable::Align::left, true},
                   {"per iteration", TextTable::Align::right},
                   {"once", TextTable::Align::right},
                   {fmt::format("in {}", grouped_unsigned(workload.iterations)), TextTable::Align::right},
                   {"class"}});
  bool has_average = false;
  for (const std::string& name : measures_in_order(workload)) {
    const Series& series = workload.measures.at(name);
    has_average = has_average || !series.slope;
    const bool one = series.samples.size() == 1 && series.samples.front().times == 1;
    table.add_row({{name},
                   {series.slope ? decimal_text(*series.slope)
                                 : "~" + decimal_text(make_slope(series.median, workload.iterations)),
                    Paint::strong},
                   {once_text(series)},
                   {grouped(series.median)},
                   {one ? (series.linear.value_or(false) ? "linear" : "not linear")
                        : std::string(name_of(series.series_class))}});
  }
  text += table.text(width, style);
  if (has_average) {
    text +=
        fmt::format("(~: not on one line; the window of {0} divided by {0})\n", grouped_unsigned(workload.iterations));
  }
  if (workload.processes.size() > 1) {
    text += fmt::format("\n in the window of {}:\n", grouped_unsigned(workload.iterations)) +
            process_table(workload, style, width);
  }
  return text + note_lines(workload, style) + "\n " + ending + "\n\n";
}

}  // namespace allocgate
