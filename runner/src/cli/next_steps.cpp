// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/text.hpp"
#include "cli/command_check.hpp"

#include <fmt/format.h>

namespace allocgate {

namespace {

using Words = std::vector<std::string>;

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Words folder_words(const std::string& baseline) {
  return baseline.empty() ? Words() : Words{"--baseline", baseline};
}

Words name_of_workload(const Verdict& verdict) {
  return verdict.workload.empty() ? Words() : Words{verdict.workload};
}

/// What must be named so that `baseline update` takes the value over.
Words acceptance_of(const Verdict& verdict) {
  switch (verdict.kind) {
    case VerdictKind::leak:
      return {"--accept-leak", verdict.workload};
    case VerdictKind::blind:
      return {"--accept-blind", verdict.workload};
    case VerdictKind::unstable:
      return {"--accept-unstable", verdict.workload};
    case VerdictKind::missing:
      // A whole entry goes, a single value is accepted as not measured any more.
      return verdict.measure.empty() ? Words{"--remove-missing"}
                                     : Words{"--accept-blind", verdict.workload + ":" + verdict.measure};
    default:
      return {};
  }
}

/// Of a rule that looks at no old value: a new baseline would not change what it says.
std::string way_to_change(const ThresholdRule& rule, const Verdict& verdict) {
  const std::string name = verdict.workload + ":" + verdict.measure;
  if (verdict.kind == VerdictKind::missing) {
    return "take it away: nothing is held against the maximum of " + name;
  }
  const std::string now = verdict.after ? fmt::format("{}", *verdict.after) : "N";
  switch (rule.source) {
    case ThresholdSource::configuration:
      return fmt::format("change the threshold of {} in {}", name, k_configuration_file);
    case ThresholdSource::baseline:
      return fmt::format("change the range beside the value of {} in its baseline", name);
    default:
      return rule.threshold.range ? "give --threshold another range for " + name
                                  : "raise it: --max " + shell_quoted(name + "=" + now);
  }
}

}  // namespace

NextSteps CommandCheck::steps_for(const Verdict& verdict, const std::string& program) const {
  const Words reproduce = words_to_reproduce(verdict, program);
  return {shell_quoted(reproduce), step_to_explain(verdict, program, reproduce), step_to_accept(verdict, program)};
}

std::vector<std::string> CommandCheck::words_to_measure() const {
  return with(m_options.measuring.as_arguments(), m_options.measuring.timing.as_arguments());
}

std::vector<std::string> CommandCheck::words_to_reproduce(const Verdict& verdict, const std::string& program) const {
  const Words folder = folder_words(m_options.baseline);
  Words words = with({program, "check"}, with(folder, words_to_measure()));
  if (!m_options.result.empty()) {
    words = with({program, "check", m_options.result}, folder);
  }
  if (!m_options.against.empty()) {
    words = with(words, {"--against", m_options.against});
  }
  words = with(words, m_options.revision.as_arguments());
  if (!verdict.workload.empty()) {
    words = with(words, {"--workload", verdict.workload});
  }
  for (const std::string& rule : m_options.thresholds) {
    words = with(words, {"--threshold", rule});
  }
  for (const std::string& rule : m_options.maxima) {
    words = with(words, {"--max", rule});
  }
  return words;
}

std::string CommandCheck::step_to_explain(const Verdict& verdict, const std::string& program,
                                          const std::vector<std::string>& reproduce) const {
  switch (verdict.kind) {
    case VerdictKind::no_baseline:
    case VerdictKind::new_workload:
    case VerdictKind::not_comparable:
      return shell_quoted(with({program, "baseline", "list"}, folder_words(m_options.baseline)));
    case VerdictKind::no_match:
    case VerdictKind::missing:
      return shell_quoted(Words{program, "list"});
    case VerdictKind::blind:
      return shell_quoted(Words{program, "doctor"});
    case VerdictKind::regression:
    case VerdictKind::leak:
      if (verdict.argument.empty() && m_options.result.empty() && !m_options.explain) {
        return shell_quoted(with(reproduce, {"--explain"}));
      }
      break;
    default:
      break;
  }
  return shell_quoted(with({program, "run", "--details"}, with(words_to_measure(), name_of_workload(verdict))));
}

std::string CommandCheck::step_to_accept(const Verdict& verdict, const std::string& program) const {
  if (verdict.kind == VerdictKind::expired_waiver) {
    return fmt::format("give the waiver another day in {}, and say why", k_configuration_file);
  }
  if (verdict.rule && needs_no_baseline(verdict.rule->threshold)) {
    return way_to_change(*verdict.rule, verdict);
  }
  if (!m_options.maxima.empty() && verdict.kind == VerdictKind::leak) {
    return "allow it: --max " +
           shell_quoted(fmt::format("{}:{}={}", verdict.workload, verdict.measure, verdict.after.value_or(0)));
  }
  if (!verdict.argument.empty()) {
    return "not possible: a baseline does not change what is said of an argument; mend either of them";
  }
  if (verdict.kind == VerdictKind::failed || verdict.kind == VerdictKind::no_match) {
    return "not possible: nothing was measured; mend the workload, or remove it from suite and baseline";
  }
  if (!m_options.revision.revision.empty()) {
    return "nothing to write: the revision is the baseline; say in the change why it is right, and a reviewer decides";
  }
  const char* reason = verdict.kind == VerdictKind::no_baseline ? "first baseline" : "say why";
  Words accept = with({program, "baseline", "update", "--reason", reason},
                      with(folder_words(m_options.baseline), m_options.measuring.as_arguments()));
  if (!m_options.result.empty()) {
    accept = with(accept, {"--from", m_options.result});
  }
  return shell_quoted(with(with(accept, acceptance_of(verdict)), name_of_workload(verdict)));
}

}  // namespace allocgate
