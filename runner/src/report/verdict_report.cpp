// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/verdict_report.hpp"

#include "base/text.hpp"
#include "model/names.hpp"
#include "model/slope.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace allocgate {

namespace {

using Align = TextTable::Align;

bool is_red(const Verdict& verdict) {
  return verdict.code != ExitCode::fine;
}

bool is_quiet(const Verdict& verdict) {
  return !is_red(verdict) && (verdict.kind == VerdictKind::unchanged || verdict.kind == VerdictKind::not_gated);
}

Paint paint_of(const Verdict& verdict) {
  if (is_red(verdict)) {
    return Paint::bad;
  }
  switch (verdict.kind) {
    case VerdictKind::unchanged:
    case VerdictKind::improvement:
      return Paint::good;
    case VerdictKind::not_gated:
      return Paint::faint;
    default:
      return Paint::caution;
  }
}

/// Workloads in the order in which the judgement names them first, each with its verdicts.
std::vector<std::pair<std::string, std::vector<const Verdict*>>> by_workload(const Judgement& judgement) {
  std::vector<std::pair<std::string, std::vector<const Verdict*>>> groups;
  for (const Verdict& verdict : judgement.verdicts) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&verdict](const auto& candidate) { return candidate.first == verdict.workload; });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), {verdict.workload, {}});
    }
    group->second.push_back(&verdict);
  }
  return groups;
}

std::vector<TextTable::Cell> row_of(const Verdict& verdict, const std::string& words) {
  return {{verdict.workload.empty() ? "-" : verdict.workload},
          {verdict.measure.empty() ? "-" : verdict.measure},
          {verdict_value_text(verdict.before, verdict.slope_before)},
          {verdict_value_text(verdict.after, verdict.slope_after)},
          {verdict_difference_text(verdict)},
          {words, paint_of(verdict)}};
}

TextTable table_of(const Judgement& judgement) {
  TextTable table({{"workload", Align::left, true},
                   {"measure", Align::left},
                   {"baseline", Align::right},
                   {"now", Align::right},
                   {"change", Align::right},
                   {"verdict", Align::left}});
  for (const auto& [workload, verdicts] : by_workload(judgement)) {
    std::size_t quiet = 0;
    const Verdict* shown_for_quiet = nullptr;
    for (const Verdict* verdict : verdicts) {
      if (!is_quiet(*verdict)) {
        table.add_row(row_of(*verdict, std::string(name_of(verdict->kind))));
        continue;
      }
      ++quiet;
      if (shown_for_quiet == nullptr || (verdict->measure == "allocations" && is_quiet(*verdict))) {
        shown_for_quiet = verdict;
      }
    }
    // Rows that say "nothing moved" would hide the one that did: a quiet workload is one row.
    if (quiet == verdicts.size() && shown_for_quiet != nullptr) {
      table.add_row(row_of(*shown_for_quiet, std::string(name_of(shown_for_quiet->kind))));
    }
  }
  return table;
}

/// What happened and by which rule; the sentence holds the numbers.
std::string reason_lines(const Verdict& verdict, const Style& style) {
  const std::string name(name_of(verdict.kind));
  std::string text = style.painted(name + ":", paint_of(verdict)) + " ";
  text += verdict.workload.empty() ? "" : verdict.workload + " ";
  text += verdict.measure + "\n";
  return text + indented_lines(verdict.sentence, 2);
}

std::string plain_words(const Judgement& judgement) {
  switch (judgement.exit_code) {
    case ExitCode::fine:
      return "passed";
    case ExitCode::regression:
      return "regression";
    case ExitCode::not_measured:
      return "not measured";
    case ExitCode::improvement:
      return "improvement that the baseline does not have yet";
    case ExitCode::no_baseline:
      return "no baseline";
    case ExitCode::blind:
      return "blind";
    case ExitCode::not_comparable:
      return "not comparable";
    default:
      return "failed";
  }
}

}  // namespace

std::string verdict_in_words(const Judgement& judgement) {
  // A workload counts once, by the gravest thing that happened to it.
  std::map<VerdictKind, std::size_t> kinds;
  for (const auto& [workload, verdicts] : by_workload(judgement)) {
    std::vector<VerdictKind> seen;
    for (const Verdict* verdict : verdicts) {
      if (!is_quiet(*verdict) && std::find(seen.begin(), seen.end(), verdict->kind) == seen.end()) {
        seen.push_back(verdict->kind);
      }
    }
    if (seen.empty()) {
      seen.push_back(VerdictKind::unchanged);
    }
    for (const VerdictKind kind : seen) {
      ++kinds[kind];
    }
  }
  std::vector<std::string> parts;
  for (const auto& entry : k_names<VerdictKind>) {
    if (kinds.count(entry.value) != 0 && entry.value != VerdictKind::unchanged) {
      parts.push_back(fmt::format("{} {}", kinds[entry.value], entry.name));
    }
  }
  if (kinds.count(VerdictKind::unchanged) != 0) {
    parts.push_back(fmt::format("{} unchanged", kinds[VerdictKind::unchanged]));
  }
  return fmt::format("{}: {}; exit code {}", plain_words(judgement), joined(parts, ", "),
                     static_cast<int>(judgement.exit_code));
}

std::string verdict_report(const Judgement& judgement, const StepsFor& steps_for, const Style& style,
                           std::size_t width) {
  std::string text;
  const TextTable table = table_of(judgement);
  if (!table.empty()) {
    text += table.text(width, style) + "\n";
  }
  for (const std::string& note : judgement.notes) {
    text += fmt::format("{} {}\n", style.painted("note:", Paint::caution), on_one_line(note));
  }
  text += judgement.notes.empty() ? "" : "\n";
  for (const auto& [workload, verdicts] : by_workload(judgement)) {
    const Verdict* gravest = nullptr;
    for (const Verdict* verdict : verdicts) {
      if (is_quiet(*verdict)) {
        continue;
      }
      text += reason_lines(*verdict, style);
      if (is_red(*verdict) && (gravest == nullptr || worse_of(verdict->code, gravest->code) != gravest->code)) {
        gravest = verdict;
      }
    }
    if (gravest != nullptr) {
      const NextSteps steps = steps_for(*gravest);
      text += fmt::format("  reproduce: {}\n  explain:   {}\n  accept:    {}\n\n", steps.reproduce, steps.explain,
                          steps.accept);
    }
  }
  const Paint paint = judgement.exit_code == ExitCode::fine ? Paint::good : Paint::bad;
  return text + style.painted(verdict_in_words(judgement), paint) + "\n";
}

std::string verdict_markdown(const Judgement& judgement, const StepsFor& steps_for) {
  std::string text = fmt::format("**allocgate: {}**\n\n", verdict_in_words(judgement)) + table_of(judgement).markdown();
  for (const auto& [workload, verdicts] : by_workload(judgement)) {
    for (const Verdict* verdict : verdicts) {
      if (is_red(*verdict)) {
        const NextSteps steps = steps_for(*verdict);
        text += fmt::format("\n```\n{}  reproduce: {}\n  explain:   {}\n  accept:    {}\n```\n",
                            reason_lines(*verdict, Style()), steps.reproduce, steps.explain, steps.accept);
      }
    }
  }
  for (const std::string& note : judgement.notes) {
    text += fmt::format("\n- note: {}", note);
  }
  return judgement.notes.empty() ? text : text + "\n";
}

}  // namespace allocgate
