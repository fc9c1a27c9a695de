// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/baseline_entry.hpp"

#include "base/text.hpp"
#include "compare/rules.hpp"
#include "model/names.hpp"
#include "model/slope.hpp"
#include "model/wide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace allocgate {

namespace {

bool same_slope(const std::optional<Slope>& left, const std::optional<Slope>& right) {
  return left && right ? *left == *right : left.has_value() == right.has_value();
}

// Samples of a series that is not exact differ each time; that alone is no reason to touch a file people review.
bool same_measure(const BaselineMeasure& left, const BaselineMeasure& right) {
  return left.value == right.value && left.series_class == right.series_class &&
         left.leak_accepted == right.leak_accepted && same_slope(left.slope, right.slope) &&
         left.threshold == right.threshold;
}

std::string change_words(const BaselineMeasure* before, const BaselineMeasure* after) {
  const auto in_words = [](const BaselineMeasure& measure) {
    return measure.slope ? fmt::format("{}, {}", grouped(measure.value), per_iteration_text(*measure.slope))
                         : grouped(measure.value);
  };
  if (before == nullptr) {
    return "new, " + in_words(*after);
  }
  if (after == nullptr) {
    return "removed, was " + in_words(*before);
  }
  std::string words;
  if (before->value != after->value) {
    const Wide delta = static_cast<Wide>(after->value) - before->value;
    words = fmt::format("{} -> {}", grouped(before->value), grouped(after->value));
    if (const auto count = to_count(delta)) {
      words += fmt::format(" ({})", grouped_with_sign(*count));
    }
  } else {
    words = in_words(*after);
  }
  if (before->series_class != after->series_class) {
    words += fmt::format(", was {} and is {}", name_of(before->series_class), name_of(after->series_class));
  }
  if (before->threshold != after->threshold) {
    words += ", threshold: " + (after->threshold ? describe(*after->threshold) : "none");
  }
  if (before->leak_accepted != after->leak_accepted) {
    words += after->leak_accepted ? ", leak accepted" : ", leak gone";
  }
  return words;
}

BaselineChange change_of(const std::string& workload, const std::string& measure, const BaselineMeasure* before,
                         const BaselineMeasure* after) {
  BaselineChange change;
  change.workload = workload;
  change.measure = measure;
  if (before != nullptr) {
    change.before = before->value;
    change.slope_before = before->slope;
  }
  if (after != nullptr) {
    change.after = after->value;
    change.slope_after = after->slope;
  }
  change.sentence = fmt::format("{} {}: {}", workload, measure, change_words(before, after));
  return change;
}

// Why something is refused.
struct Reason {
  VerdictKind kind;
  std::string words;
};

// One workload's new entry upon its old one.
class EntryMaker {
public:
  EntryMaker(const WorkloadResult& workload, const BaselineWorkload* existing, const MakeBaselineOptions& options)
      : m_workload(workload), m_existing(existing), m_options(options) {}

  MadeEntry make() {
    if (const auto reason = reason_to_refuse_workload()) {
      refuse("", *reason);
      return std::move(m_made);
    }
    BaselineWorkload& entry = m_made.entry.emplace();
    entry.iterations = m_workload.iterations;
    entry.gate = m_workload.gate;
    entry.depends_on = m_workload.depends_on;
    for (const auto& [measure, series] : m_workload.measures) {
      if (is_kept(measure)) {
        take(measure, series);
      }
    }
    if (m_existing != nullptr) {
      handle_vanished();
      refuse_all_where_iterations_changed();
    }
    if (m_made.entry) {
      m_made.differs = !m_made.changes.empty() || m_existing == nullptr || entry.iterations != m_existing->iterations ||
                       entry.gate != m_existing->gate || entry.depends_on != m_existing->depends_on;
    }
    return std::move(m_made);
  }

private:
  [[nodiscard]] const BaselineMeasure* old(const std::string& measure) const {
    if (m_existing == nullptr) {
      return nullptr;
    }
    const auto found = m_existing->measures.find(measure);
    return found != m_existing->measures.end() ? &found->second : nullptr;
  }

  [[nodiscard]] bool is_kept(const std::string& measure) const {
    const MeasureInfo* known = find_measure(measure);
    return (known != nullptr && !known->advisory) || old(measure) != nullptr ||
           std::find(m_options.measures.begin(), m_options.measures.end(), measure) != m_options.measures.end();
  }

  [[nodiscard]] bool accepted(const std::string& measure) const {
    return is_accepted(m_options.accepted, m_workload.name, measure);
  }

  [[nodiscard]] std::optional<Reason> reason_to_refuse_workload() const {
    if (m_workload.status == WorkloadStatus::failed || m_workload.status == WorkloadStatus::timeout) {
      return Reason{VerdictKind::failed, fmt::format("{}: {}", name_of(m_workload.status), m_workload.error)};
    }
    if (m_workload.status == WorkloadStatus::blind && !accepted("")) {
      return Reason{VerdictKind::blind, fmt::format("blind: {}; if that is right, accept it by name, {}",
                                                    m_workload.error, m_workload.name)};
    }
    if (m_workload.measures.empty()) {
      return Reason{VerdictKind::failed, "failed: nothing of it was measured"};
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Reason> reason_to_refuse(const std::string& measure, const Series& series,
                                                       Count value) const {
    if (accepted(measure)) {
      return std::nullopt;
    }
    const BaselineMeasure* before = old(measure);
    const std::string by_name = fmt::format("; if that is right, accept it by name, {}:{}", m_workload.name, measure);
    if (before != nullptr && before->value > 0 && value == 0 && zero_means_blind(measure)) {
      return Reason{VerdictKind::blind,
                    fmt::format("blind: nothing was counted where there were {}{}", grouped(before->value), by_name)};
    }
    if (is_leaking(measure, series) && !(before != nullptr && before->leak_accepted)) {
      return Reason{VerdictKind::leak,
                    fmt::format("leaking: {}{}", series_text(series, m_workload.iterations), by_name)};
    }
    const MeasureInfo* known = find_measure(measure);
    const bool advisory = known == nullptr || known->advisory;
    const bool below_declared = (m_workload.gate == Gate::exact && series.series_class != SeriesClass::exact) ||
                                (m_workload.gate == Gate::percent && series.series_class == SeriesClass::noisy);
    if (below_declared && !advisory) {
      return Reason{VerdictKind::unstable,
                    fmt::format("unstable: the workload declares gate {}, and its values are {}, from {} to {}{}",
                                name_of(*m_workload.gate), name_of(series.series_class), grouped(series.min),
                                grouped(series.max), by_name)};
    }
    return std::nullopt;
  }

  void take(const std::string& measure, const Series& series) {
    const BaselineMeasure* before = old(measure);
    const Count value = judged_value(series, m_workload.gate);
    if (const auto reason = reason_to_refuse(measure, series, value)) {
      refuse(measure, *reason);
      keep_old(measure);
      return;
    }
    BaselineMeasure after;
    after.value = value;
    after.series_class = series.series_class;
    after.slope = series.slope;
    after.leak_accepted = is_leaking(measure, series);
    if (series.series_class != SeriesClass::exact) {
      after.samples = series.samples;
    }
    after.threshold = before != nullptr ? before->threshold : std::nullopt;
    if (const MeasureInfo* known = find_measure(measure);
        m_options.threshold && known != nullptr && known->gated_by_default) {
      after.threshold = m_options.threshold;
    }
    const bool same_iterations = m_existing != nullptr && m_existing->iterations == m_workload.iterations;
    if (before != nullptr && same_iterations && same_measure(*before, after)) {
      ++m_made.unchanged;
      m_made.entry->measures.emplace(measure, *before);
      return;
    }
    m_made.changes.push_back(change_of(m_workload.name, measure, before, &after));
    m_made.entry->measures.emplace(measure, std::move(after));
  }

  void handle_vanished() {
    for (const auto& [measure, before] : m_existing->measures) {
      if (m_workload.measures.contains(measure)) {
        continue;
      }
      if (accepted(measure)) {
        m_made.changes.push_back(change_of(m_workload.name, measure, &before, nullptr));
        continue;
      }
      refuse(measure, {VerdictKind::missing,
                       fmt::format("missing: the baseline has {}, and it was not measured; if that is right, accept it "
                                   "by name, {}:{}",
                                   grouped(before.value), m_workload.name, measure)});
      keep_old(measure);
    }
  }

  // Values at different iterations do not stand in one entry.
  void refuse_all_where_iterations_changed() {
    if (m_existing->iterations == m_workload.iterations || m_made.refusals.empty()) {
      return;
    }
    refuse("",
           {VerdictKind::not_comparable,
            fmt::format("nothing of it is updated, because its iterations changed from {} to {} and a value is refused",
                        grouped_unsigned(m_existing->iterations), grouped_unsigned(m_workload.iterations))});
    m_made.entry.reset();
    m_made.changes.clear();
    m_made.unchanged = 0;
  }

  void keep_old(const std::string& measure) {
    if (const BaselineMeasure* before = old(measure)) {
      m_made.entry->measures.emplace(measure, *before);
    }
  }

  void refuse(const std::string& measure, const Reason& reason) {
    m_made.refusals.push_back(
        {m_workload.name, measure,
         fmt::format("{}{}{}: {}", m_workload.name, measure.empty() ? "" : " ", measure, reason.words), reason.kind});
  }

  const WorkloadResult& m_workload;
  const BaselineWorkload* m_existing;
  const MakeBaselineOptions& m_options;
  MadeEntry m_made;
};

}  // namespace

MadeEntry make_entry(const WorkloadResult& workload, const BaselineWorkload* existing,
                     const MakeBaselineOptions& options) {
  return EntryMaker(workload, existing, options).make();
}

}  // namespace allocgate
