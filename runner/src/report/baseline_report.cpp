// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/baseline_report.hpp"

#include "base/text.hpp"
#include "model/names.hpp"
#include "model/slope.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

namespace allocgate {

namespace {

using Align = TextTable::Align;

constexpr std::size_t k_commit_width = 10;

Verdict as_verdict(const BaselineChange& change) {
  Verdict verdict;
  verdict.before = change.before;
  verdict.after = change.after;
  verdict.slope_before = change.slope_before;
  verdict.slope_after = change.slope_after;
  return verdict;
}

std::string value_text(const BaselineMeasure& measure) {
  return measure.slope ? decimal_text(*measure.slope) : grouped(measure.value) + " total";
}

std::string rules_text(const BaselineMeasure& measure) {
  std::string text = measure.threshold ? describe(*measure.threshold) : std::string();
  if (measure.leak_accepted) {
    text += text.empty() ? "leak accepted" : ", leak accepted";
  }
  return text;
}

/// "1 changed, 2 new, 3 unchanged": kinds that did not occur are left out, but there is always one.
std::vector<std::string> summary_of(const MadeBaseline& made) {
  std::size_t added = 0;
  std::size_t removed = 0;
  std::size_t changed = 0;
  for (const BaselineChange& change : made.changes) {
    if (change.measure.empty()) {
      continue;
    }
    added += change.before ? 0 : 1;
    removed += change.after ? 0 : 1;
    changed += change.before && change.after ? 1 : 0;
  }
  std::vector<std::string> parts;
  const auto add = [&parts](std::size_t number, std::string_view what) {
    if (number != 0) {
      parts.push_back(counted(number, "value") + " " + std::string(what));
    }
  };
  add(changed, "changed");
  add(added, "new");
  add(removed, "removed");
  add(made.refusals.size(), "refused");
  if (made.unchanged != 0 || parts.empty()) {
    parts.push_back(counted(made.unchanged, "value") + " unchanged");
  }
  return parts;
}

}  // namespace

std::string baseline_changes_report(const MadeBaseline& made, bool first, const Style& style, std::size_t width) {
  TextTable table({{"workload", Align::left, true},
                   {"measure", Align::left},
                   {"was", Align::right},
                   {"becomes", Align::right},
                   {"change", Align::right}});
  for (const BaselineChange& change : made.changes) {
    if (first && change.measure != "allocations") {
      continue;
    }
    const std::string came_or_went = change.after ? "new" : change.before ? "removed" : "";
    const std::string difference = verdict_difference_text(as_verdict(change));
    table.add_row({{change.workload},
                   {change.measure.empty() ? "-" : change.measure},
                   {verdict_value_text(change.before, change.slope_before)},
                   {verdict_value_text(change.after, change.slope_after)},
                   {difference.empty() ? came_or_went : difference}});
  }
  std::string text = table.empty() ? std::string() : table.text(width, style) + "\n";
  for (const BaselineChange& change : made.changes) {
    if (change.measure.empty() && !change.sentence.empty()) {
      text += fmt::format("{}: {}\n", change.workload, change.sentence);
    }
  }
  for (const BaselineRefusal& refusal : made.refusals) {
    const std::string where = refusal.measure.empty() ? refusal.workload : refusal.workload + " " + refusal.measure;
    text += fmt::format("{} {}\n", style.painted("refused:", Paint::bad), where) + indented_lines(refusal.sentence, 2);
  }
  return text + made.baseline.suite + ": " + joined(summary_of(made), ", ") + "\n";
}

std::string baseline_report(const Baseline& baseline, const Style& style, std::size_t width) {
  TextTable table({{"workload", Align::left, true},
                   {"measure", Align::left},
                   {"value", Align::right},
                   {"class", Align::left},
                   {"rule", Align::left}});
  for (const auto& [name, workload] : baseline.workloads) {
    for (const MeasureInfo& info : all_measures()) {
      const auto found = workload.measures.find(std::string(info.name));
      if (found != workload.measures.end()) {
        table.add_row({{name},
                       {found->first},
                       {value_text(found->second)},
                       {std::string(name_of(found->second.series_class))},
                       {rules_text(found->second)}});
      }
    }
  }
  std::string text = fmt::format("{} on {}\n\n", style.painted(baseline.suite, Paint::strong), baseline.testbed.id);
  text += table.text(width, style) + "\n";
  for (const auto& [name, workload] : baseline.workloads) {
    const std::string commit = workload.commit.empty() ? "" : ", commit " + workload.commit.substr(0, k_commit_width);
    text += fmt::format("{}: {}, set {}{}: {}\n", name, counted(workload.iterations, "iteration"), workload.updated_at,
                        commit, on_one_line(workload.reason));
  }
  return text;
}

}  // namespace allocgate
