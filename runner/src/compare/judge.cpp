// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/judge.hpp"

#include "base/text.hpp"
#include "compare/argument_rules.hpp"
#include "compare/choose_baseline.hpp"
#include "compare/judge_series.hpp"
#include "compare/rank_test.hpp"
#include "compare/rules.hpp"
#include "compare/waivers.hpp"
#include "model/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace allocgate {

namespace {

// Why the baseline's entry cannot be compared with this workload: the fields that differ and matter to it.
std::vector<std::string> obstacles(const std::vector<TestbedDifference>& differing, const WorkloadResult& workload,
                                   const BaselineWorkload& entry) {
  std::vector<std::string> depends_on = workload.depends_on;
  depends_on.insert(depends_on.end(), entry.depends_on.begin(), entry.depends_on.end());
  std::vector<std::string> found;
  for (const TestbedDifference& difference : differing) {
    if (matters(difference, depends_on)) {
      found.push_back(difference_text(difference));
    }
  }
  return found;
}

Verdict workload_verdict(VerdictKind kind, const std::string& workload, std::string sentence, ExitCode code) {
  Verdict verdict;
  verdict.kind = kind;
  verdict.workload = workload;
  verdict.sentence = std::move(sentence);
  verdict.code = code;
  return verdict;
}

std::string status_words(const WorkloadResult& workload) {
  return workload.error.empty() ? "no reason is known" : workload.error;
}

std::vector<std::string> measures_in_order(const WorkloadResult& workload, const BaselineWorkload* entry) {
  std::vector<std::string> present;
  for (const auto& [name, series] : workload.measures) {
    present.push_back(name);
  }
  if (entry != nullptr) {
    for (const auto& [name, measure] : entry->measures) {
      present.push_back(name);
    }
  }
  return in_display_order(std::move(present));
}

class Judge {
public:
  Judge(const Result& result, const std::vector<Baseline>& baselines, const JudgeOptions& options)
      : m_result(result), m_options(options) {
    for (const Baseline& baseline : baselines) {
      m_baselines.emplace(baseline.suite, &baseline);
    }
  }

  Judgement judge() {
    if (m_result.workloads.empty()) {
      add(workload_verdict(
          VerdictKind::no_match, "",
          "nothing was measured, so nothing was checked: no workload matched; `allocgate list` shows them",
          ExitCode::not_measured));
    }
    for (const std::string& suite : suites_of(m_result)) {
      if (!m_baselines.contains(suite) && !m_options.without_baseline) {
        add_no_baseline(suite);
      }
    }
    for (const WorkloadResult* workload : sorted_workloads(m_result)) {
      judge_workload(*workload);
    }
    judge_with_all_tests();
    for (const auto& [suite, baseline] : m_baselines) {
      add_missing(*baseline);
      add_note_of_differences(*baseline);
    }
    for (Verdict& verdict : judge_argument_rules(m_result, m_options.argument_rules, m_judgement.notes)) {
      add(std::move(verdict));
    }
    add_note_of_improvements();
    add_notes_of_idle_rules();
    apply_waivers(m_options, m_judgement);
    for (const Verdict& verdict : m_judgement.verdicts) {
      m_judgement.exit_code = worse_of(m_judgement.exit_code, verdict.code);
    }
    return std::move(m_judgement);
  }

private:
  void add(Verdict verdict) {
    verdict.suite = verdict.suite.empty() ? m_suite : verdict.suite;
    m_judgement.verdicts.push_back(std::move(verdict));
  }

  void add_no_baseline(const std::string& suite) {
    m_suite = suite;
    add(workload_verdict(
        VerdictKind::no_baseline, "",
        fmt::format("no baseline: {} has none for the testbed {}; `allocgate baseline update` makes it",
                    suite.empty() ? "this result" : "the suite " + suite, m_result.testbed.id),
        m_options.allow_missing_baseline ? ExitCode::fine : ExitCode::no_baseline));
  }

  void judge_workload(const WorkloadResult& workload) {
    m_suite = workload.suite;
    const auto baseline = m_baselines.find(workload.suite);
    const BaselineWorkload* entry = nullptr;
    if (baseline != m_baselines.end()) {
      const auto found = baseline->second->workloads.find(workload.name);
      entry = found != baseline->second->workloads.end() ? &found->second : nullptr;
      m_seen.emplace(workload.suite, workload.name);
    }
    if (workload.status != WorkloadStatus::ok) {
      add_not_ok(workload);
      return;
    }
    if (workload.measures.empty()) {
      add(workload_verdict(VerdictKind::failed, workload.name,
                           workload.name + ": failed: it was run and nothing of it was measured",
                           ExitCode::not_measured));
      return;
    }
    bool comparable = true;
    if (entry == nullptr && baseline != m_baselines.end()) {
      add(workload_verdict(
          VerdictKind::new_workload, workload.name,
          workload.name + ": new: the baseline does not have it yet; `allocgate baseline update` adds it",
          m_options.strict ? ExitCode::no_baseline : ExitCode::fine));
    } else if (entry != nullptr) {
      comparable = check_comparable(workload, *entry, *baseline->second);
    }
    judge_measures(workload, entry, comparable);
  }

  void add_not_ok(const WorkloadResult& workload) {
    if (workload.status != WorkloadStatus::blind) {
      add(workload_verdict(VerdictKind::failed, workload.name,
                           fmt::format("{}: {}: {}", workload.name, name_of(workload.status), status_words(workload)),
                           ExitCode::not_measured));
      return;
    }
    const bool accepted = is_accepted(m_options.accepted_blind, workload.name, "");
    add(workload_verdict(
        VerdictKind::blind, workload.name,
        fmt::format("{}: blind{}: {}", workload.name, accepted ? ", accepted by name" : "", status_words(workload)),
        accepted ? ExitCode::fine : ExitCode::blind));
  }

  bool check_comparable(const WorkloadResult& workload, const BaselineWorkload& entry, const Baseline& baseline) {
    const auto found = obstacles(differences(baseline.testbed, m_result.testbed), workload, entry);
    if (found.empty()) {
      return true;
    }
    add(workload_verdict(
        VerdictKind::not_comparable, workload.name,
        fmt::format("{}: not comparable: its counts depend on {}; make a baseline for this testbed with `allocgate "
                    "baseline update`",
                    workload.name, joined(found, ", ")),
        m_options.warn_not_comparable ? ExitCode::fine : ExitCode::not_comparable));
    return false;
  }

  void judge_measures(const WorkloadResult& workload, const BaselineWorkload* entry, bool comparable) {
    for (const std::string& measure : measures_in_order(workload, entry)) {
      const auto series = workload.measures.find(measure);
      if (series != workload.measures.end()) {
        const SeriesCase series_case = {workload, series->first, series->second, entry, comparable, m_options};
        Verdict verdict = judge_series(series_case);
        const bool has_nothing_to_say =
            verdict.kind == VerdictKind::new_workload || verdict.kind == VerdictKind::not_gated;
        if (m_options.without_baseline && has_nothing_to_say) {
          continue;
        }
        if (verdict.rank_test) {
          m_tested.emplace_back(m_judgement.verdicts.size(), series_case);
        }
        add(std::move(verdict));
      } else if (comparable && entry != nullptr) {
        if (auto verdict = judge_missing_series(workload, measure, *entry, m_options)) {
          add(*std::move(verdict));
        }
      }
    }
    if (m_options.without_baseline) {
      add_missing_maxima(workload);
    }
  }

  // A maximum that nothing was held against would look kept.
  void add_missing_maxima(const WorkloadResult& workload) {
    for (const ThresholdRule& rule : m_options.rules) {
      const bool is_meant = rule.workload == workload.name || glob_matches(rule.workload, workload.name);
      if (!is_meant || rule.measure.empty() || !needs_no_baseline(rule.threshold) ||
          workload.measures.contains(rule.measure)) {
        continue;
      }
      Verdict verdict = workload_verdict(VerdictKind::missing, workload.name,
                                         fmt::format("{} {}: missing: it is to be {}, and it was not measured",
                                                     workload.name, rule.measure, describe(rule.threshold)),
                                         ExitCode::not_measured);
      verdict.measure = rule.measure;
      verdict.rule = rule;
      add(std::move(verdict));
    }
  }

  void add_note_of_improvements() {
    const auto count = std::count_if(m_judgement.verdicts.begin(), m_judgement.verdicts.end(),
                                     [](const Verdict& verdict) { return verdict.kind == VerdictKind::improvement; });
    if (m_options.on_improvement == OnImprovement::warn && count > 0) {
      m_judgement.notes.push_back(fmt::format(
          "the baseline does not have {} yet, so it would let {} be lost again; `allocgate baseline update` takes {} "
          "over",
          count == 1 ? "an improvement" : fmt::format("{} improvements", count), count == 1 ? "it" : "them",
          count == 1 ? "it" : "them"));
    }
  }

  // A rule in a file that guards nothing, because its workload has another name now.
  void add_notes_of_idle_rules() {
    for (const ThresholdRule& rule : m_options.rules) {
      if (rule.source != ThresholdSource::configuration || rule.workload.empty() || m_options.partial) {
        continue;
      }
      const auto is_meant = [&rule](const std::string& name) {
        return rule.workload == name || glob_matches(rule.workload, name);
      };
      const bool is_idle =
          std::none_of(m_result.workloads.begin(), m_result.workloads.end(),
                       [&is_meant](const WorkloadResult& workload) { return is_meant(workload.name); });
      if (is_idle) {
        m_judgement.notes.push_back(fmt::format("no workload is meant by the threshold {}", describe(rule)));
      }
    }
  }

  // Of twenty tests at 5 % one errs, so none is believed before all are known.
  void judge_with_all_tests() {
    std::vector<RankTest*> tests;
    for (const auto& [index, series_case] : m_tested) {
      tests.push_back(&*m_judgement.verdicts[index].rank_test);
    }
    adjust_by_holm(tests);
    for (auto& [index, series_case] : m_tested) {
      SeriesCase with_test = series_case;
      with_test.rank_test = m_judgement.verdicts[index].rank_test;
      m_judgement.verdicts[index] = judge_series(with_test);
    }
  }

  [[nodiscard]] bool was_asked_for(const std::string& workload) const {
    return !m_options.partial ||
           std::any_of(m_options.selected.begin(), m_options.selected.end(), [&workload](const std::string& name) {
             return name == workload || glob_matches(name, workload);
           });
  }

  void add_missing(const Baseline& baseline) {
    m_suite = baseline.suite;
    for (const auto& [name, entry] : baseline.workloads) {
      if (!m_seen.contains({baseline.suite, name}) && was_asked_for(name)) {
        add(workload_verdict(VerdictKind::missing, name,
                             name + ": missing: the baseline has it, and it was not measured; if it is gone for good, "
                                    "remove its entry with `allocgate baseline update --remove-missing`",
                             ExitCode::not_measured));
      }
    }
  }

  // Fields that differ and did not keep anyone from comparing are said once.
  void add_note_of_differences(const Baseline& baseline) {
    std::vector<std::string> harmless;
    for (const TestbedDifference& difference : differences(baseline.testbed, m_result.testbed)) {
      if (difference.field.starts_with(k_core_prefix) && (difference.before.empty() || difference.after.empty())) {
        continue;  // a core of another suite
      }
      const bool harmless_to_one =
          std::any_of(m_result.workloads.begin(), m_result.workloads.end(), [&](const WorkloadResult& workload) {
            const auto entry = baseline.workloads.find(workload.name);
            return workload.suite == baseline.suite && entry != baseline.workloads.end() &&
                   obstacles({difference}, workload, entry->second).empty();
          });
      if (harmless_to_one) {
        harmless.push_back(difference_text(difference));
      }
    }
    if (!harmless.empty()) {
      m_judgement.notes.push_back(
          fmt::format("the baseline of {} is used although these differ, on which counts do not depend: {}",
                      baseline.suite.empty() ? baseline.testbed.id : baseline.suite, joined(harmless, ", ")));
    }
  }

  const Result& m_result;
  const JudgeOptions& m_options;
  std::string m_suite;                                       // of the verdicts that are being added
  std::map<std::string, const Baseline*> m_baselines;        // by suite
  std::vector<std::pair<std::size_t, SeriesCase>> m_tested;  // with the place of their verdict
  std::set<std::pair<std::string, std::string>> m_seen;      // suite and workload, of those that have a baseline
  Judgement m_judgement;
};

}  // namespace

Judgement judge(const Result& result, const std::vector<Baseline>& baselines, const JudgeOptions& options) {
  return Judge(result, baselines, options).judge();
}

}  // namespace allocgate
