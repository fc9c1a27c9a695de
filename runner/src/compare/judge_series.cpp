// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/judge_series.hpp"

#include "base/text.hpp"
#include "compare/rank_test.hpp"
#include "compare/rules.hpp"
#include "model/names.hpp"
#include "model/slope.hpp"
#include "model/wide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace allocgate {

namespace {

Count saturated(Wide value) {
  return to_count(value).value_or(value < 0 ? std::numeric_limits<Count>::min() : std::numeric_limits<Count>::max());
}

// A measure's name also when the table does not have it: a program's own counter is never gated unasked.
bool gated_by_default(const std::string& measure) {
  const MeasureInfo* known = find_measure(measure);
  return known != nullptr && known->gated_by_default;
}

std::optional<Threshold> threshold_in_baseline(const BaselineMeasure* before) {
  return before != nullptr ? before->threshold : std::nullopt;
}

// Why a series is not gated although it was measured; empty when it is gated.
std::string reason_not_gated(const std::string& measure, const std::optional<Gate>& gate,
                             const std::optional<ThresholdRule>& written) {
  const bool names_measure = written && !written->measure.empty();
  const bool names_workload = written && !written->workload.empty();
  if (!gated_by_default(measure) && !names_measure) {
    const MeasureInfo* known = find_measure(measure);
    return known != nullptr && known->advisory ? "advisory, because it depends on the heap's history"
                                               : "no rule names this measure";
  }
  if (gate == Gate::none && !names_workload) {
    return "the workload declares gate none";
  }
  return {};
}

class SeriesJudge {
public:
  explicit SeriesJudge(const SeriesCase& series_case) : m_case(series_case) {
    const WorkloadResult& workload = m_case.workload;
    if (m_case.entry != nullptr) {
      const auto found = m_case.entry->measures.find(m_case.measure);
      m_before = found != m_case.entry->measures.end() ? &found->second : nullptr;
    }
    m_gate = workload.gate ? workload.gate : m_case.entry != nullptr ? m_case.entry->gate : std::nullopt;
    m_written = written_rule(workload.name, m_case.measure, m_case.options.rules, threshold_in_baseline(m_before));
    m_class =
        m_before != nullptr ? std::max(m_case.series.series_class, m_before->series_class) : m_case.series.series_class;
    m_verdict.suite = workload.suite;
    m_verdict.workload = workload.name;
    m_verdict.measure = m_case.measure;
    m_verdict.iterations = workload.iterations;
    m_verdict.after = judged_value(m_case.series, m_gate);
    m_verdict.slope_after = m_case.series.slope;
    if (m_before != nullptr) {
      m_verdict.before = value_before();
      m_verdict.slope_before = m_before->slope;
    }
  }

  Verdict judge() {
    const std::string ungated = reason_not_gated(m_case.measure, m_gate, m_written);
    const bool same_iterations = bring_to_iterations_of_baseline();
    if (!ungated.empty()) {
      return finish(VerdictKind::not_gated, "not gated: " + ungated);
    }
    if (is_leaking(m_case.measure, m_case.series) && !is_accepted_leak()) {
      return finish(VerdictKind::leak, leak_words(), ExitCode::regression);
    }
    if (is_blind()) {
      return finish(
          VerdictKind::blind,
          fmt::format("blind: nothing was counted where there were {}; if that is right, accept it by name, {}:{}",
                      grouped(*m_verdict.before), m_verdict.workload, m_case.measure),
          ExitCode::blind);
    }
    // A range in the baseline is one of totals at the baseline's iterations.
    const bool range_fits = same_iterations || !m_written || m_written->source != ThresholdSource::baseline;
    if (m_written && needs_no_baseline(m_written->threshold) && range_fits) {
      m_verdict.rule = m_written;
      return judge_change(m_verdict.before.value_or(*m_verdict.after));
    }
    if (m_case.entry == nullptr || !m_case.comparable) {
      return judge_without_baseline();
    }
    if (m_before == nullptr) {
      return judge_new_measure();
    }
    if (!same_iterations) {
      return finish(VerdictKind::not_comparable, iterations_words(),
                    m_case.options.warn_not_comparable ? ExitCode::fine : ExitCode::not_comparable);
    }
    return judge_against_baseline();
  }

private:
  Count value_before() const {
    // The kept value belongs to the gate of that time; under another one it is read from the samples.
    const bool other_gate = (m_case.entry->gate == Gate::min) != (m_gate == Gate::min);
    return other_gate && !m_before->samples.empty() && m_gate == Gate::min ? m_before->samples.front().value
                                                                           : m_before->value;
  }

  // A series on a line has a value at any number of iterations. False when the two numbers stay apart.
  bool bring_to_iterations_of_baseline() {
    if (m_before == nullptr || m_case.entry->iterations == m_case.workload.iterations) {
      return true;
    }
    const Series& series = m_case.series;
    if (!series.linear.value_or(false) || !series.slope || !series.setup) {
      return false;
    }
    const Wide events = static_cast<Wide>(series.slope->count) * static_cast<Wide>(m_case.entry->iterations);
    const auto divisor = static_cast<Wide>(series.slope->iterations);
    const auto value = to_count(events / divisor + *series.setup);
    if (events % divisor != 0 || !value) {
      return false;
    }
    m_verdict.after = *value;
    m_verdict.iterations = m_case.entry->iterations;
    return true;
  }

  // By name in the baseline, or by a maximum of its own where there is no baseline.
  [[nodiscard]] bool is_accepted_leak() const {
    return (m_before != nullptr && m_before->leak_accepted) ||
           (m_case.options.without_baseline && m_written && !m_written->measure.empty());
  }

  [[nodiscard]] bool is_blind() const {
    return m_case.comparable && m_verdict.before.value_or(0) > 0 && *m_verdict.after == 0 &&
           zero_means_blind(m_case.measure) &&
           !is_accepted(m_case.options.accepted_blind, m_verdict.workload, m_case.measure);
  }

  Verdict judge_without_baseline() {
    if (m_case.entry == nullptr) {
      return finish(VerdictKind::new_workload, "new: there is no value to compare it with");
    }
    return finish(VerdictKind::not_comparable, "shown and not judged: the baseline is not comparable");
  }

  Verdict judge_new_measure() {
    // Who names a measure that is not gated otherwise wants a gate, and there is nothing it could compare with.
    if (m_written && !gated_by_default(m_case.measure)) {
      return finish(VerdictKind::new_workload,
                    "new: a rule names this measure, and the baseline does not keep it; a range needs no baseline",
                    m_case.options.allow_missing_baseline ? ExitCode::fine : ExitCode::no_baseline);
    }
    return finish(VerdictKind::new_workload, "new: the baseline does not have this measure yet",
                  m_case.options.strict ? ExitCode::no_baseline : ExitCode::fine);
  }

  Verdict judge_against_baseline() {
    const Count before = *m_verdict.before;
    const bool gated_by_class = m_class != SeriesClass::noisy || m_gate == Gate::min;
    if (!m_written && !gated_by_class) {
      return judge_noisy();
    }
    m_verdict.rule = m_written ? m_written : built_in_rule(m_class, m_gate);
    return judge_change(before);
  }

  Verdict judge_noisy() {
    const bool declared = m_gate == Gate::exact || m_gate == Gate::percent;
    if (declared && m_case.series.series_class == SeriesClass::noisy) {
      return finish_unstable();
    }
    return finish(VerdictKind::not_gated, "not gated: " + noise_words());
  }

  // The minimum is not a matter of ranks, and values at other iterations are others.
  [[nodiscard]] std::optional<RankTest> own_rank_test() const {
    if (m_class == SeriesClass::exact || m_gate == Gate::min || m_before == nullptr ||
        m_case.entry->iterations != m_case.workload.iterations) {
      return std::nullopt;
    }
    return rank_test(m_before->samples, m_case.series.samples);
  }

  [[nodiscard]] bool is_chance() const {
    return m_case.rank_test && m_case.rank_test->can_decide && !m_case.rank_test->significant();
  }

  Verdict judge_change(Count before) {
    const Threshold& threshold = m_verdict.rule->threshold;
    if (!needs_no_baseline(threshold)) {
      m_verdict.rank_test = m_case.rank_test ? m_case.rank_test : own_rank_test();
    }
    Change change =
        change_under(threshold, m_case.series.better, {before, m_verdict.iterations, m_verdict.slope_before},
                     {*m_verdict.after, m_verdict.iterations, m_verdict.slope_after});
    // Between exact values every step down is real, however wide the threshold is.
    if (change == Change::within && m_class == SeriesClass::exact && !needs_no_baseline(threshold) &&
        before != *m_verdict.after && m_case.series.better != Better::neither &&
        (*m_verdict.after < before) == (m_case.series.better == Better::lower)) {
      change = Change::better;
    }
    const bool chance = change != Change::within && is_chance();
    if (chance) {
      change = Change::within;
    }
    if (change == Change::worse) {
      return finish(VerdictKind::regression, regression_words(), ExitCode::regression);
    }
    if (m_gate == Gate::exact && m_case.series.series_class != SeriesClass::exact) {
      return finish_unstable();
    }
    if (change == Change::better) {
      return finish(VerdictKind::improvement, "improvement",
                    m_case.options.on_improvement == OnImprovement::fail ? ExitCode::improvement : ExitCode::fine);
    }
    if (chance) {
      return finish(VerdictKind::unchanged, "beyond its threshold, and no more than chance");
    }
    return finish(VerdictKind::unchanged, m_verdict.before == m_verdict.after ? "unchanged" : "within its threshold");
  }

  Verdict finish_unstable() {
    const bool declared_exact = m_gate == Gate::exact;
    return finish(VerdictKind::unstable,
                  fmt::format("unstable: the workload declares gate {}, and {}", name_of(*m_gate), noise_words()),
                  declared_exact ? ExitCode::not_measured : ExitCode::fine);
  }

  Verdict finish(VerdictKind kind, const std::string& words, ExitCode code = ExitCode::fine) {
    m_verdict.kind = kind;
    m_verdict.code = code;
    m_verdict.sentence = fmt::format("{} {}: {}{}", m_verdict.workload, m_case.measure, words, numbers());
    if (m_case.measure == "live_allocations" && m_verdict.after.value_or(0) < 0) {
      m_verdict.sentence += "; negative, because blocks from before the window were freed in it";
    }
    if (const std::string modes = modes_text(m_case.series.samples); !modes.empty()) {
      m_verdict.sentence += "; values: " + modes;
    }
    if (m_verdict.rule) {
      m_verdict.sentence += "; rule: " + describe(*m_verdict.rule);
    }
    if (m_verdict.rank_test && m_verdict.before != m_verdict.after) {
      m_verdict.sentence += "; " + describe(*m_verdict.rank_test);
      m_verdict.sentence += m_verdict.rank_test->can_decide ? "" : ", too few to tell from chance";
    }
    return m_verdict;
  }

  // ", 200 210 -> 200 220 in 10 iterations (+10, +1 per iteration)".
  [[nodiscard]] std::string numbers() const {
    const std::string over = fmt::format("in {} {}", grouped_unsigned(m_verdict.iterations),
                                         m_verdict.iterations == 1 ? "iteration" : "iterations");
    if (!m_verdict.before) {
      return fmt::format(", {} {}", grouped(*m_verdict.after), over);
    }
    const Count delta = saturated(static_cast<Wide>(*m_verdict.after) - *m_verdict.before);
    if (delta == 0) {
      return fmt::format(", {} {}{}", grouped(*m_verdict.after), over, shift_words());
    }
    std::string each;
    if (m_verdict.slope_before && m_verdict.slope_after) {
      if (const auto slope = difference(*m_verdict.slope_after, *m_verdict.slope_before)) {
        each = ", " + (slope->count == 0 ? "all of it once" : signed_per_iteration_text(*slope));
      }
    } else if (m_verdict.iterations > 1) {
      each = fmt::format(", on average {}", signed_per_iteration_text(make_slope(delta, m_verdict.iterations)));
    }
    return fmt::format(", {} -> {} {} ({}{})", grouped(*m_verdict.before), grouped(*m_verdict.after), over,
                       grouped_with_sign(delta), each);
  }

  // The same total can hide that something moved between the iterations and what happens once.
  [[nodiscard]] std::string shift_words() const {
    if (!m_verdict.slope_before || !m_verdict.slope_after || *m_verdict.slope_before == *m_verdict.slope_after) {
      return {};
    }
    return fmt::format(" (the same total, but {} where there were {})", per_iteration_text(*m_verdict.slope_after),
                       decimal_text(*m_verdict.slope_before));
  }

  [[nodiscard]] std::string regression_words() const {
    if (m_verdict.before == Count{0} && !needs_no_baseline(m_verdict.rule->threshold)) {
      return "regression from nothing: the baseline had none";
    }
    return "regression";
  }

  [[nodiscard]] std::string leak_words() const {
    const std::string rate =
        m_case.series.slope ? per_iteration_text(*m_case.series.slope)
                            : grouped(m_case.series.growth.value_or(0)) + " from the shortest window to the longest";
    return fmt::format("leak: blocks that stay allocated grow by {}; if that is right, accept it by name, {}:{}", rate,
                       m_verdict.workload, m_case.measure);
  }

  [[nodiscard]] std::string noise_words() const {
    const Series& series = m_case.series;
    if (series.series_class < m_class) {
      return fmt::format("the baseline's values are {}", name_of(m_class));
    }
    const bool was_better = m_before != nullptr && m_before->series_class < series.series_class;
    return fmt::format("its values are {}, from {} to {}{}", name_of(series.series_class), grouped(series.min),
                       grouped(series.max),
                       was_better ? fmt::format(" ({} in the baseline)", name_of(m_before->series_class)) : "");
  }

  [[nodiscard]] std::string iterations_words() const {
    return fmt::format(
        "not comparable: the iterations differ, {} in the baseline and {} now, and it is not linear; measure it with "
        "the "
        "same",
        grouped_unsigned(m_case.entry->iterations), grouped_unsigned(m_case.workload.iterations));
  }

  const SeriesCase& m_case;
  const BaselineMeasure* m_before = nullptr;
  std::optional<Gate> m_gate;
  std::optional<ThresholdRule> m_written;
  SeriesClass m_class = SeriesClass::exact;  // the less exact one of both sides
  Verdict m_verdict;
};

}  // namespace

Verdict judge_series(const SeriesCase& series_case) {
  return SeriesJudge(series_case).judge();
}

std::optional<Verdict> judge_missing_series(const WorkloadResult& workload, const std::string& measure,
                                            const BaselineWorkload& entry, const JudgeOptions& options) {
  const BaselineMeasure& before = entry.measures.at(measure);
  const auto gate = workload.gate ? workload.gate : entry.gate;
  const auto written = written_rule(workload.name, measure, options.rules, before.threshold);
  if (!reason_not_gated(measure, gate, written).empty()) {
    return std::nullopt;
  }
  Verdict verdict;
  verdict.kind = VerdictKind::missing;
  verdict.workload = workload.name;
  verdict.measure = measure;
  verdict.before = before.value;
  verdict.slope_before = before.slope;
  verdict.iterations = entry.iterations;
  verdict.sentence = fmt::format(
      "{} {}: missing: the baseline has {}, and it was not measured; `allocgate doctor` says what works here",
      workload.name, measure, grouped(before.value));
  verdict.code = ExitCode::not_measured;
  return verdict;
}

}  // namespace allocgate
