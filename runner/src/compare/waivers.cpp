// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/waivers.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

namespace {

bool names_workload(const Waiver& waiver, const std::string& workload) {
  // What concerns no workload, as that there is no baseline, cannot be waived.
  return !workload.empty() && (waiver.workload == workload || glob_matches(waiver.workload, workload));
}

bool names_verdict(const Waiver& waiver, const Verdict& verdict) {
  return names_workload(waiver, verdict.workload) && (waiver.measure.empty() || waiver.measure == verdict.measure);
}

std::string subject_of(const Waiver& waiver) {
  return waiver.measure.empty() ? waiver.workload : waiver.workload + " " + waiver.measure;
}

// Into the first line: what follows it are the last lines of a program.
void say(Verdict& verdict, const std::string& words) {
  verdict.sentence.insert(std::min(verdict.sentence.find('\n'), verdict.sentence.size()), words);
}

Verdict expired(const Waiver& waiver) {
  Verdict verdict;
  verdict.kind = VerdictKind::expired_waiver;
  verdict.workload = waiver.workload;
  verdict.measure = waiver.measure;
  verdict.waiver = waiver;
  verdict.code = ExitCode::regression;
  verdict.sentence = fmt::format(
      "{}: expired waiver: it held until {} ({}: {}); mend the workload and remove the waiver, or give it another date",
      subject_of(waiver), waiver.until, waiver.who, waiver.why);
  return verdict;
}

bool is_in_scope(const Waiver& waiver, const JudgeOptions& options) {
  return !options.partial ||
         std::any_of(options.selected.begin(), options.selected.end(),
                     [&waiver](const std::string& workload) { return names_workload(waiver, workload); });
}

std::string note_of_idle(const Waiver& waiver, const Judgement& judgement) {
  const bool is_known = std::any_of(judgement.verdicts.begin(), judgement.verdicts.end(),
                                    [&waiver](const Verdict& verdict) { return names_verdict(waiver, verdict); });
  return fmt::format("the waiver of {} until {} ({}) matches nothing: {}; remove it", subject_of(waiver), waiver.until,
                     waiver.who, is_known ? "there is nothing red to waive" : "nothing of that name is judged");
}

}  // namespace

void apply_waivers(const JudgeOptions& options, Judgement& judgement) {
  std::vector<Verdict> more;
  for (const Waiver& waiver : options.waivers) {
    if (!is_in_scope(waiver, options)) {
      continue;
    }
    // Days in this form are in the order of their letters.
    const bool holds = options.today <= waiver.until;
    bool found = false;
    for (Verdict& verdict : judgement.verdicts) {
      const bool is_red = verdict.code != ExitCode::fine;
      const bool is_waived_already = verdict.waiver && !is_red;
      if (!names_verdict(waiver, verdict) || (!is_red && !is_waived_already)) {
        continue;
      }
      found = true;
      if (is_waived_already) {
        continue;
      }
      verdict.waiver = waiver;
      if (holds) {
        verdict.code = ExitCode::fine;
        say(verdict, fmt::format("; waived until {} by {}: {}", waiver.until, waiver.who, waiver.why));
      } else {
        say(verdict, fmt::format("; its waiver expired on {}", waiver.until));
      }
    }
    if (!holds) {
      more.push_back(expired(waiver));
    } else if (!found) {
      judgement.notes.push_back(note_of_idle(waiver, judgement));
    }
  }
  judgement.verdicts.insert(judgement.verdicts.end(), more.begin(), more.end());
}

}  // namespace allocgate
