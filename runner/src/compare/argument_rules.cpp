// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/argument_rules.hpp"

#include "base/text.hpp"
#include "compare/families.hpp"
#include "model/names.hpp"
#include "model/slope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace allocgate {

namespace {

struct Statement {
  std::string measure = "allocations";
  std::string argument;
};

// Arguments may hold colons, measures may not: only a measure that the workload has ends at the first one.
Statement statement_in(const std::string& text, const WorkloadResult& workload) {
  const std::size_t colon = text.find(':');
  const std::string before = colon == std::string::npos ? std::string() : text.substr(0, colon);
  if (find_measure(before) != nullptr || workload.measures.count(before) != 0) {
    return {before, text.substr(colon + 1)};
  }
  return {"allocations", text};
}

Verdict verdict_on(const std::string& suite, const std::string& workload, const Statement& statement) {
  Verdict verdict;
  verdict.suite = suite;
  verdict.workload = workload;
  verdict.measure = statement.measure;
  verdict.argument = statement.argument;
  return verdict;
}

/// "6 at size = 64".
std::string value_text(const FamilyPoint& point, const FamilySeries& series) {
  return fmt::format("{} at {} = {}", exact_text(point.value), series.argument, grouped(point.argument));
}

class ArgumentJudge {
public:
  ArgumentJudge(const Result& result, std::span<const ArgumentRule> rules, std::vector<std::string>& notes)
      : m_result(result), m_rules(rules), m_notes(notes), m_families(families_of(result)) {}

  std::vector<Verdict> judge() {
    for (const WorkloadResult* workload : sorted_workloads(m_result)) {
      for (const std::string& text : workload->does_not_depend_on) {
        hold(*workload, statement_in(text, *workload), true);
      }
      for (const ArgumentRule& rule : m_rules) {
        if (rule.workload.empty() || rule.workload == workload->name || glob_matches(rule.workload, workload->name)) {
          hold(*workload, statement_in(rule.statement, *workload), !rule.workload.empty());
        }
      }
    }
    return std::move(m_verdicts);
  }

private:
  void hold(const WorkloadResult& workload, const Statement& statement, bool must_have_it) {
    const std::vector<NameArgument> arguments = arguments_of(workload.name);
    const auto meant = std::find_if(arguments.begin(), arguments.end(), [&statement](const NameArgument& argument) {
      return argument.name == statement.argument;
    });
    if (meant == arguments.end()) {
      if (must_have_it) {
        add_unknown_argument(workload, statement, arguments);
      }
      return;
    }
    if (!m_done.insert({workload.suite, meant->family, statement.measure + ":" + statement.argument}).second) {
      return;
    }
    const auto family = std::find_if(m_families.begin(), m_families.end(), [&](const Family& candidate) {
      return candidate.suite == workload.suite && candidate.name == meant->family && candidate.argument == meant->name;
    });
    const auto series =
        family == m_families.end() ? std::optional<FamilySeries>() : family_series(*family, statement.measure);
    if (!series) {
      m_notes.push_back(fmt::format(
          "{} is said not to depend on {}, and was measured at fewer than two values of it, so that was not checked",
          statement.measure + " of " + meant->family, statement.argument));
      return;
    }
    judge_series(*series, *family, statement);
  }

  void add_unknown_argument(const WorkloadResult& workload, const Statement& statement,
                            const std::vector<NameArgument>& arguments) {
    std::vector<std::string> names;
    for (const NameArgument& argument : arguments) {
      names.push_back(argument.name);
    }
    Verdict verdict = verdict_on(workload.suite, workload.name, statement);
    verdict.kind = VerdictKind::failed;
    verdict.code = ExitCode::not_measured;
    verdict.sentence =
        fmt::format("{}: failed: it is said not to depend on \"{}\", which its name does not have{}; its arguments: {}",
                    workload.name, statement.argument, did_you_mean(statement.argument, names),
                    names.empty() ? "none" : joined(names, ", "));
    m_verdicts.push_back(std::move(verdict));
  }

  void judge_series(const FamilySeries& series, const Family& family, const Statement& statement) {
    Verdict verdict = verdict_on(series.suite, series.family, statement);
    const std::string about = series.family + " " + series.measure;
    if (const std::string obstacle = reason_not_to_compare(series, family); !obstacle.empty()) {
      // Who states it, and declares nothing else, means exact counts.
      const bool declared_exact = std::any_of(
          family.members.begin(), family.members.end(),
          [](const Family::Member& member) { return member.workload->gate.value_or(Gate::exact) == Gate::exact; });
      verdict.kind = VerdictKind::unstable;
      verdict.code = declared_exact ? ExitCode::not_measured : ExitCode::fine;
      verdict.sentence =
          fmt::format("{}: unstable: whether it depends on {} cannot be said: {}", about, series.argument, obstacle);
    } else if (const auto other = first_other_point(series); other != series.points.end()) {
      const FamilyPoint& before = *std::prev(other);
      verdict.kind = VerdictKind::regression;
      verdict.code = ExitCode::regression;
      const std::string line =
          series.line ? fmt::format(" ({}{})", family_text(series), series.totals ? " in total" : "") : std::string();
      verdict.sentence = fmt::format("{}: regression: it is said not to depend on {}, and does: {}, {}{}", about,
                                     series.argument, value_text(before, series), value_text(*other, series), line);
    } else {
      verdict.kind = VerdictKind::unchanged;
      verdict.sentence = fmt::format("{}: {} at {} values of {}, on which it is said not to depend", about,
                                     exact_text(series.points.front().value), series.points.size(), series.argument);
    }
    m_verdicts.push_back(std::move(verdict));
  }

  // The reasons of families that are not about lines: two equal values are enough here, three on a line say nothing.
  static std::string reason_not_to_compare(const FamilySeries& series, const Family& family) {
    for (const Family::Member& member : family.members) {
      const auto found = member.workload->measures.find(series.measure);
      if (member.workload->status != WorkloadStatus::ok || found == member.workload->measures.end()) {
        continue;  // it has a verdict of its own
      }
      if (found->second.series_class != SeriesClass::exact || (!series.totals && !found->second.slope) ||
          (series.totals && member.workload->iterations != series.iterations)) {
        return series.reason;
      }
    }
    return {};
  }

  static std::vector<FamilyPoint>::const_iterator first_other_point(const FamilySeries& series) {
    return std::find_if(series.points.begin(), series.points.end(),
                        [&series](const FamilyPoint& point) { return !(point.value == series.points.front().value); });
  }

  const Result& m_result;
  std::span<const ArgumentRule> m_rules;
  std::vector<std::string>& m_notes;
  std::vector<Family> m_families;
  std::set<std::tuple<std::string, std::string, std::string>> m_done;
  std::vector<Verdict> m_verdicts;
};

}  // namespace

std::vector<Verdict> judge_argument_rules(const Result& result, std::span<const ArgumentRule> rules,
                                          std::vector<std::string>& notes) {
  return ArgumentJudge(result, rules, notes).judge();
}

}  // namespace allocgate
