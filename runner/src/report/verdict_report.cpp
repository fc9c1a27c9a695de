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
#include <utility>

namespace allocgate {

namespace {

using Align = TextTable::Align;

constexpr std::size_t k_markdown_width = 100;

bool is_red(const Verdict& verdict) {
  return verdict.code != ExitCode::fine;
}

/// Red but for a waiver that still holds.
bool is_waived(const Verdict& verdict) {
  return verdict.waiver && !is_red(verdict);
}

/// What needs no line of its own: nothing moved, or nobody gates it. A measure that is gated by default and was not
/// gated has a line, because it looks guarded; so has a change that a rule allows, because the rule is the news.
bool is_quiet(const Verdict& verdict) {
  if (is_red(verdict)) {
    return false;
  }
  const MeasureInfo* measure = find_measure(verdict.measure);
  return (verdict.kind == VerdictKind::unchanged && verdict.before == verdict.after) ||
         (verdict.kind == VerdictKind::not_gated && (measure == nullptr || !measure->gated_by_default));
}

/// A series of a workload of which the workload's own verdict says everything: its number is shown, its sentence not.
bool is_said_by_workload(const Verdict& verdict) {
  return !is_red(verdict) && !verdict.measure.empty() &&
         (verdict.kind == VerdictKind::new_workload || verdict.kind == VerdictKind::not_comparable);
}

bool is_main_measure(const Verdict& verdict) {
  return verdict.measure == "allocations";
}

Paint paint_of(const Verdict& verdict) {
  if (is_red(verdict)) {
    return Paint::bad;
  }
  if (is_waived(verdict)) {
    return Paint::caution;
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
  return {{verdict.workload},
          {verdict.measure.empty() ? "-" : verdict.measure},
          {verdict_value_text(verdict.before, verdict.slope_before)},
          {verdict_value_text(verdict.after, verdict.slope_after)},
          {verdict_difference_text(verdict)},
          {words, paint_of(verdict)}};
}

/// The verdicts of one workload that get a row. Rows that say "nothing moved" would hide the one that did, so those
/// that are quiet, or say what the workload's own verdict says, are one row: the number that people look for.
std::vector<const Verdict*> rows_of(const std::vector<const Verdict*>& verdicts) {
  std::vector<const Verdict*> rows;
  const Verdict* quiet = nullptr;
  const Verdict* said = nullptr;
  for (const Verdict* verdict : verdicts) {
    if (is_said_by_workload(*verdict)) {
      said = said == nullptr || is_main_measure(*verdict) ? verdict : said;
    } else if (is_quiet(*verdict)) {
      quiet = quiet == nullptr || is_main_measure(*verdict) ? verdict : quiet;
    } else {
      rows.push_back(verdict);
    }
  }
  if (said != nullptr) {
    std::erase_if(rows, [said](const Verdict* row) { return row->measure.empty() && row->kind == said->kind; });
    rows.push_back(said);
  }
  if (rows.empty() && quiet != nullptr) {
    rows.push_back(quiet);
  }
  return rows;
}

std::string word_for(const Verdict& verdict) {
  const bool allowed = verdict.kind == VerdictKind::unchanged && verdict.before != verdict.after;
  const std::string word = allowed ? "allowed" : std::string(name_of(verdict.kind));
  return is_waived(verdict) ? word + ", waived" : word;
}

TextTable table_of(const Judgement& judgement) {
  TextTable table({{"workload", Align::left, true},
                   {"measure", Align::left},
                   {"before", Align::right},
                   {"now", Align::right},
                   {"change", Align::right},
                   {"verdict", Align::left}});
  for (const auto& [workload, verdicts] : by_workload(judgement)) {
    // What concerns no workload (no baseline, nothing measured) has a sentence and no numbers.
    if (workload.empty()) {
      continue;
    }
    for (const Verdict* verdict : rows_of(verdicts)) {
      table.add_row(row_of(*verdict, word_for(*verdict)));
    }
  }
  return table;
}

/// What happened and by which rule: the sentence, which holds the numbers, with its first line in the verdict's colour.
std::string reason_lines(const Verdict& verdict, const Style& style, std::size_t width) {
  const std::string sentence = verdict.sentence.empty()
                                   ? fmt::format("{} {}: {}", verdict.workload, verdict.measure, name_of(verdict.kind))
                                   : verdict.sentence;
  const std::size_t end = sentence.find('\n');
  std::string text = wrapped(sentence.substr(0, end), 2, width, 0);
  const std::string first = text.substr(0, text.find('\n'));
  text = style.painted(first, paint_of(verdict)) + text.substr(first.size());
  // What a program printed before it failed keeps its lines.
  text += end == std::string::npos ? std::string() : indented_lines(sentence.substr(end + 1), 4);
  if (verdict.place) {
    text += fmt::format("  at {}\n", place_text(*verdict.place));
  }
  return text + indented_lines(verdict.explanation, 4);
}

/// The sentences of one workload's verdicts, and what to type next.
std::string block_of(const std::vector<const Verdict*>& verdicts, const StepsFor& steps_for, const Style& style,
                     std::size_t width) {
  std::string text;
  const Verdict* gravest = nullptr;
  const Verdict* without_baseline = nullptr;
  for (const Verdict* verdict : verdicts) {
    if (is_quiet(*verdict) || is_said_by_workload(*verdict)) {
      continue;
    }
    text += reason_lines(*verdict, style, width);
    if (is_red(*verdict) && (gravest == nullptr || worse_of(verdict->code, gravest->code) != gravest->code)) {
      gravest = verdict;
    }
    if (verdict->kind == VerdictKind::no_baseline || verdict->kind == VerdictKind::not_comparable) {
      without_baseline = verdict;
    }
  }
  if (gravest != nullptr) {
    const NextSteps steps = steps_for(*gravest);
    return text + fmt::format("  reproduce: {}\n  explain:   {}\n  accept:    {}\n", steps.reproduce, steps.explain,
                              steps.accept);
  }
  return without_baseline == nullptr ? text
                                     : text + fmt::format("  make it:   {}\n", steps_for(*without_baseline).accept);
}

std::string plain_words(const Judgement& judgement) {
  switch (judgement.exit_code) {
    case ExitCode::fine:
      return "passed";
    case ExitCode::regression: {
      const bool only_expired =
          std::none_of(judgement.verdicts.begin(), judgement.verdicts.end(), [](const Verdict& verdict) {
            return verdict.code == ExitCode::regression && verdict.kind != VerdictKind::expired_waiver;
          });
      return only_expired ? "expired waiver" : "regression";
    }
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

/// A fence that the block, which may hold what a program printed, cannot close.
std::string fence_around(const std::string& block) {
  std::string fence = "```";
  while (block.find(fence) != std::string::npos) {
    fence += '`';
  }
  return fence;
}

}  // namespace

std::string verdict_in_words(const Judgement& judgement) {
  // A workload counts once, by the gravest thing that happened to it.
  std::map<VerdictKind, std::size_t> kinds;
  std::size_t waived = 0;
  for (const auto& [workload, verdicts] : by_workload(judgement)) {
    if (std::any_of(verdicts.begin(), verdicts.end(), [](const Verdict* verdict) { return is_waived(*verdict); })) {
      ++waived;
    }
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
  if (waived != 0) {
    parts.push_back(fmt::format("{} waived", waived));
  }
  if (kinds.count(VerdictKind::unchanged) != 0) {
    parts.push_back(fmt::format("{} unchanged", kinds[VerdictKind::unchanged]));
  }
  return fmt::format("{}: {}; exit code {}", plain_words(judgement), joined(parts, ", "),
                     static_cast<int>(judgement.exit_code));
}

std::string verdict_report(const Judgement& judgement, const StepsFor& steps_for, const Style& style,
                           std::size_t width) {
  const TextTable table = table_of(judgement);
  std::string text = table.empty() ? std::string() : table.text(width, style) + "\n";
  for (const std::string& note : judgement.notes) {
    text += style.painted("note:", Paint::caution) + " " + wrapped(on_one_line(note), 6, width, 0);
  }
  text += judgement.notes.empty() ? "" : "\n";
  for (const auto& [workload, verdicts] : by_workload(judgement)) {
    const std::string block = block_of(verdicts, steps_for, style, width);
    text += block.empty() ? "" : block + "\n";
  }
  const Paint paint = judgement.exit_code == ExitCode::fine ? Paint::good : Paint::bad;
  return text + style.painted(verdict_in_words(judgement), paint) + "\n";
}

std::string verdict_markdown(const Judgement& judgement, const StepsFor& steps_for) {
  return fmt::format("**allocgate: {}**\n\n", verdict_in_words(judgement)) +
         verdict_markdown_body(judgement, steps_for);
}

std::string verdict_markdown_body(const Judgement& judgement, const StepsFor& steps_for) {
  std::string text = table_of(judgement).markdown();
  for (const auto& [workload, verdicts] : by_workload(judgement)) {
    const std::string block = block_of(verdicts, steps_for, Style(), k_markdown_width);
    text += block.empty() ? "" : fmt::format("\n{0}\n{1}{0}\n", fence_around(block), block);
  }
  text += judgement.notes.empty() ? "" : "\n";
  for (const std::string& note : judgement.notes) {
    text += fmt::format("- note: {}\n", on_one_line(note));
  }
  return text;
}

}  // namespace allocgate
