// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/github_report.hpp"

#include "base/text.hpp"
#include "model/names.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace allocgate {

namespace {

enum class Level { error, warning, notice };

constexpr auto k_levels = std::to_array<std::pair<Level, std::string_view>>(
    {{Level::error, "error"}, {Level::warning, "warning"}, {Level::notice, "notice"}});

// Of each level in one step; GitHub drops the others without a word.
constexpr std::size_t k_most_annotations = 10;

std::string escaped(std::string_view text, std::string_view characters) {
  std::string result;
  for (const char character : text) {
    if (characters.find(character) != std::string_view::npos) {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(character));
    } else {
      result += character;
    }
  }
  return result;
}

std::optional<Level> level_of(const Verdict& verdict) {
  if (verdict.code != ExitCode::fine) {
    return Level::error;
  }
  const MeasureInfo* measure = find_measure(verdict.measure);
  const bool looks_guarded = verdict.measure.empty() || (measure != nullptr && measure->gated_by_default);
  switch (verdict.kind) {
    case VerdictKind::unchanged:
      return std::nullopt;
    case VerdictKind::improvement:
      return Level::notice;
    case VerdictKind::new_workload:
    case VerdictKind::not_comparable:
      // The verdict on the whole workload says it for all its series.
      return verdict.measure.empty() ? std::optional(Level::warning) : std::nullopt;
    default:
      return looks_guarded ? std::optional(Level::warning) : std::nullopt;
  }
}

/// Whether `left` is graver. Of the same code, what stands first in the judgement is.
bool is_graver(ExitCode left, ExitCode right) {
  return left != right && worse_of(left, right) == left;
}

std::vector<const Verdict*> ranked(const Judgement& judgement, Level level) {
  std::vector<const Verdict*> found;
  for (const Verdict& verdict : judgement.verdicts) {
    if (level_of(verdict) == level) {
      found.push_back(&verdict);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Verdict* left, const Verdict* right) { return is_graver(left->code, right->code); });
  return found;
}

std::string annotation(std::string_view level, const std::string& title, const std::string& message,
                       const std::optional<SourcePlace>& place = std::nullopt) {
  // Only what lies in the repository has a line there that GitHub could show it at.
  const bool is_inside = place && !place->file.starts_with('/');
  const std::string where =
      is_inside ? fmt::format("file={},line={},", github_property(place->file), place->line) : std::string();
  return fmt::format("::{} {}title={}::{}\n", level, where, github_property(title), github_message(message));
}

std::string message_of(const Verdict& verdict) {
  std::string sentence = verdict.sentence.empty() ? std::string(name_of(verdict.kind)) : verdict.sentence;
  if (verdict.place) {
    sentence += fmt::format("\nat {}", place_text(*verdict.place));
  }
  return verdict.next ? fmt::format("{}\nreproduce: {}\nexplain: {}\naccept: {}", sentence, verdict.next->reproduce,
                                    verdict.next->explain, verdict.next->accept)
                      : sentence;
}

/// The verdicts of one workload, with what decides their place.
struct Group {
  const std::string* workload = nullptr;
  std::vector<const Verdict*> verdicts;
  ExitCode code = ExitCode::fine;
  std::size_t notable = 0;
};

std::vector<Group> ranked_groups(const Judgement& judgement) {
  std::vector<Group> groups;
  for (const Verdict& verdict : judgement.verdicts) {
    auto group = std::find_if(groups.rbegin(), groups.rend(),
                              [&verdict](const Group& candidate) { return *candidate.workload == verdict.workload; });
    if (group == groups.rend()) {
      groups.push_back({&verdict.workload, {}, ExitCode::fine, 0});
      group = groups.rbegin();
    }
    group->verdicts.push_back(&verdict);
    group->code = worse_of(group->code, verdict.code);
    group->notable += level_of(verdict) ? 1 : 0;
  }
  std::stable_sort(groups.begin(), groups.end(), [](const Group& left, const Group& right) {
    return left.code != right.code ? is_graver(left.code, right.code) : (left.notable > 0 && right.notable == 0);
  });
  return groups;
}

std::string summary_of(const Judgement& judgement, const std::vector<Group>& groups, std::size_t number,
                       const StepsFor& steps_for) {
  Judgement part;
  for (std::size_t index = 0; index < number; ++index) {
    for (const Verdict* verdict : groups[index].verdicts) {
      part.verdicts.push_back(*verdict);
    }
  }
  part.notes = number == groups.size() ? judgement.notes : std::vector<std::string>();
  std::string text =
      fmt::format("**allocgate: {}**\n\n{}", verdict_in_words(judgement), verdict_markdown_body(part, steps_for));
  if (number < groups.size()) {
    text += fmt::format("\n{} of {} are shown, the gravest first: a step summary holds no more.\n", number,
                        counted(groups.size(), "workload"));
  }
  return text;
}

}  // namespace

std::string github_message(std::string_view text) {
  return escaped(text, "%\r\n");
}

std::string github_property(std::string_view text) {
  return escaped(text, "%\r\n:,");
}

std::string github_annotations(const Judgement& judgement) {
  std::string text;
  for (const auto& [level, name] : k_levels) {
    const std::vector<const Verdict*> all = ranked(judgement, level);
    const std::size_t shown = all.size() > k_most_annotations ? k_most_annotations - 1 : all.size();
    for (std::size_t index = 0; index < shown; ++index) {
      text += annotation(name, fmt::format("allocgate: {}", name_of(all[index]->kind)), message_of(*all[index]),
                         all[index]->place);
    }
    if (shown < all.size()) {
      text += annotation(name, "allocgate: more",
                         fmt::format("{} more are not shown, because GitHub shows {} of a level in one step; {}",
                                     all.size() - shown, k_most_annotations, verdict_in_words(judgement)));
    }
  }
  return text;
}

std::string github_summary(const Judgement& judgement, const StepsFor& steps_for, std::size_t budget) {
  const std::vector<Group> groups = ranked_groups(judgement);
  std::string whole = summary_of(judgement, groups, groups.size(), steps_for);
  if (whole.size() <= budget) {
    return whole;
  }
  // The largest number that fits: more workloads are never less text.
  std::size_t fits = 0;
  for (std::size_t too_many = groups.size(); too_many - fits > 1;) {
    const std::size_t middle = fits + (too_many - fits) / 2;
    (summary_of(judgement, groups, middle, steps_for).size() <= budget ? fits : too_many) = middle;
  }
  std::string part = summary_of(judgement, groups, fits, steps_for);
  return part.size() <= budget ? part : std::string();
}

std::string cut_to_lines(std::string_view markdown, std::size_t budget) {
  if (markdown.size() <= budget) {
    return std::string(markdown);
  }
  constexpr std::string_view k_cut = "\nThe rest is not shown: a step summary holds no more.\n";
  if (budget < k_cut.size()) {
    return {};
  }
  const std::size_t end = markdown.rfind('\n', budget - k_cut.size() - 1);
  return std::string(markdown.substr(0, end == std::string_view::npos ? 0 : end + 1)) + std::string(k_cut);
}

}  // namespace allocgate
