// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/make_baseline.hpp"

#include "base/text.hpp"
#include "compare/rules.hpp"
#include "model/names.hpp"
#include "model/slope.hpp"
#include "model/wide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace allocgate {

namespace {

bool same_threshold(const std::optional<Threshold>& left, const std::optional<Threshold>& right) {
  if (!left || !right) {
    return left.has_value() == right.has_value();
  }
  const bool same_range =
      left->range.has_value() == right->range.has_value() &&
      (!left->range || (left->range->lowest == right->range->lowest && left->range->highest == right->range->highest));
  return same_range && left->thousandths == right->thousandths && left->absolute == right->absolute;
}

bool same_slope(const std::optional<Slope>& left, const std::optional<Slope>& right) {
  return left && right ? *left == *right : left.has_value() == right.has_value();
}

// Samples of a series that is not exact differ each time; that alone is no reason to touch a file people review.
bool same_measure(const BaselineMeasure& left, const BaselineMeasure& right) {
  return left.value == right.value && left.series_class == right.series_class &&
         left.leak_accepted == right.leak_accepted && same_slope(left.slope, right.slope) &&
         same_threshold(left.threshold, right.threshold);
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
  if (!same_threshold(before->threshold, after->threshold)) {
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

// One workload's new entry upon its old one.
class EntryMaker {
public:
  EntryMaker(const WorkloadResult& workload, const BaselineWorkload* existing, const MakeBaselineOptions& options)
      : m_workload(workload), m_existing(existing), m_options(options) {}

  void make() {
    if (const std::string reason = reason_to_refuse_workload(); !reason.empty()) {
      refuse("", reason);
      return;
    }
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
  }

  [[nodiscard]] bool differs() const {
    return !changes.empty() || m_existing == nullptr || entry.iterations != m_existing->iterations ||
           entry.gate != m_existing->gate || entry.depends_on != m_existing->depends_on;
  }

  BaselineWorkload entry;
  std::vector<BaselineChange> changes;
  std::vector<BaselineRefusal> refusals;
  std::size_t unchanged = 0;
  bool refused = false;  // the whole workload: the old entry stays

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

  [[nodiscard]] std::string reason_to_refuse_workload() const {
    if (m_workload.status == WorkloadStatus::failed || m_workload.status == WorkloadStatus::timeout) {
      return fmt::format("{}: {}", name_of(m_workload.status), m_workload.error);
    }
    if (m_workload.status == WorkloadStatus::blind && !accepted("")) {
      return fmt::format("blind: {}; if that is right, accept it by name, {}", m_workload.error, m_workload.name);
    }
    return m_workload.measures.empty() ? "nothing of it was measured" : "";
  }

  [[nodiscard]] std::string reason_to_refuse(const std::string& measure, const Series& series, Count value) const {
    if (accepted(measure)) {
      return {};
    }
    const BaselineMeasure* before = old(measure);
    const std::string by_name = fmt::format("; if that is right, accept it by name, {}:{}", m_workload.name, measure);
    if (before != nullptr && before->value > 0 && value == 0 && zero_means_blind(measure)) {
      return fmt::format("blind: nothing was counted where there were {}{}", grouped(before->value), by_name);
    }
    if (is_leaking(measure, series) && !(before != nullptr && before->leak_accepted)) {
      return fmt::format("leaking: {}{}", series_text(series, m_workload.iterations), by_name);
    }
    const MeasureInfo* known = find_measure(measure);
    const bool advisory = known == nullptr || known->advisory;
    const bool below_declared = (m_workload.gate == Gate::exact && series.series_class != SeriesClass::exact) ||
                                (m_workload.gate == Gate::percent && series.series_class == SeriesClass::noisy);
    if (below_declared && !advisory) {
      return fmt::format("unstable: the workload declares gate {}, and its values are {}, from {} to {}{}",
                         name_of(*m_workload.gate), name_of(series.series_class), grouped(series.min),
                         grouped(series.max), by_name);
    }
    return {};
  }

  void take(const std::string& measure, const Series& series) {
    const BaselineMeasure* before = old(measure);
    const Count value = judged_value(series, m_workload.gate);
    if (const std::string reason = reason_to_refuse(measure, series, value); !reason.empty()) {
      refuse(measure, reason);
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
      ++unchanged;
      entry.measures.emplace(measure, *before);
      return;
    }
    changes.push_back(change_of(m_workload.name, measure, before, &after));
    entry.measures.emplace(measure, std::move(after));
  }

  void handle_vanished() {
    for (const auto& [measure, before] : m_existing->measures) {
      if (m_workload.measures.contains(measure)) {
        continue;
      }
      if (accepted(measure)) {
        changes.push_back(change_of(m_workload.name, measure, &before, nullptr));
        continue;
      }
      refuse(measure, fmt::format("missing: the baseline has {}, and it was not measured; if that is right, accept it "
                                  "by name, {}:{}",
                                  grouped(before.value), m_workload.name, measure));
      keep_old(measure);
    }
  }

  // Values at different iterations do not stand in one entry.
  void refuse_all_where_iterations_changed() {
    if (m_existing->iterations == m_workload.iterations || refusals.empty()) {
      return;
    }
    refused = true;
    changes.clear();
    unchanged = 0;
  }

  void keep_old(const std::string& measure) {
    if (const BaselineMeasure* before = old(measure)) {
      entry.measures.emplace(measure, *before);
    }
  }

  void refuse(const std::string& measure, const std::string& reason) {
    refused = refused || measure.empty();
    refusals.push_back({m_workload.name, measure,
                        fmt::format("{}{}{}: {}", m_workload.name, measure.empty() ? "" : " ", measure, reason)});
  }

  const WorkloadResult& m_workload;
  const BaselineWorkload* m_existing;
  const MakeBaselineOptions& m_options;
};

bool is_chosen(const std::string& workload, const MakeBaselineOptions& options) {
  return options.workloads.empty() ||
         std::any_of(options.workloads.begin(), options.workloads.end(),
                     [&workload](const std::string& name) { return name == workload || glob_matches(name, workload); });
}

template <typename Element>
void append(std::vector<Element>& all, std::vector<Element>&& more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

class BaselineMaker {
public:
  BaselineMaker(const std::optional<Baseline>& existing, const Result& result, const std::string& suite,
                const MakeBaselineOptions& options)
      : m_existing(existing), m_result(result), m_options(options) {
    if (existing) {
      m_made.baseline = *existing;
    }
    m_made.baseline.suite = suite;
  }

  MadeBaseline make(const std::string& reason, const std::string& commit, const std::string& time) {
    for (const WorkloadResult* workload : sorted_workloads(m_result)) {
      if (workload->suite == m_made.baseline.suite && is_chosen(workload->name, m_options)) {
        m_measured.push_back(workload->name);
        take(*workload, reason, commit, time);
      }
    }
    if (m_options.remove_missing) {
      remove_missing();
    }
    if (!m_made.changes.empty() || m_touched || !m_existing) {
      move_to_testbed_of_result();
    }
    return std::move(m_made);
  }

private:
  [[nodiscard]] const BaselineWorkload* old(const std::string& workload) const {
    if (!m_existing) {
      return nullptr;
    }
    const auto found = m_existing->workloads.find(workload);
    return found != m_existing->workloads.end() ? &found->second : nullptr;
  }

  void take(const WorkloadResult& workload, const std::string& reason, const std::string& commit,
            const std::string& time) {
    EntryMaker maker(workload, old(workload.name), m_options);
    maker.make();
    const bool taken = !maker.refused && !maker.entry.measures.empty();
    if (taken && maker.differs()) {
      maker.entry.updated_at = time;
      maker.entry.commit = commit;
      maker.entry.reason = reason;
      m_made.baseline.workloads.insert_or_assign(workload.name, maker.entry);
      m_touched = true;
    }
    if (taken) {
      m_taken.push_back(workload.name);
    }
    m_made.unchanged += maker.unchanged;
    append(m_made.changes, std::move(maker.changes));
    append(m_made.refusals, std::move(maker.refusals));
  }

  void remove_missing() {
    std::erase_if(m_made.baseline.workloads, [this](const auto& entry) {
      const std::string& name = entry.first;
      if (!is_chosen(name, m_options) || std::find(m_measured.begin(), m_measured.end(), name) != m_measured.end()) {
        return false;
      }
      BaselineChange change;
      change.workload = name;
      change.sentence = name + ": removed, because the result does not have it";
      m_made.changes.push_back(std::move(change));
      return true;
    });
  }

  void move_to_testbed_of_result() {
    if (m_existing) {
      const auto differing = differences(m_existing->testbed, m_result.testbed);
      for (const auto& [name, entry] : m_made.baseline.workloads) {
        if (std::find(m_taken.begin(), m_taken.end(), name) == m_taken.end()) {
          refuse_if_it_depends_on(differing, name, entry);
        }
      }
      if (m_mixed) {
        m_made.baseline = *m_existing;
        m_made.changes.clear();
        m_made.unchanged = 0;
        return;
      }
    }
    m_made.baseline.testbed = m_result.testbed;
  }

  void refuse_if_it_depends_on(const std::vector<TestbedDifference>& differing, const std::string& workload,
                               const BaselineWorkload& entry) {
    for (const TestbedDifference& difference : differing) {
      if (matters(difference, entry.depends_on)) {
        m_mixed = true;
        m_made.refusals.push_back(
            {workload, "",
             fmt::format("{}: nothing is updated, because this entry would stay and depends on {}; measure it too, or "
                         "remove it with `allocgate baseline update --remove-missing`",
                         workload, difference_text(difference))});
        return;
      }
    }
  }

  const std::optional<Baseline>& m_existing;
  const Result& m_result;
  const MakeBaselineOptions& m_options;
  MadeBaseline m_made;
  std::vector<std::string> m_measured;
  std::vector<std::string> m_taken;
  bool m_touched = false;  // an entry was written
  bool m_mixed = false;    // it would describe two testbeds
};

}  // namespace

MadeBaseline make_baseline(const std::optional<Baseline>& existing, const Result& result, const std::string& suite,
                           const std::string& reason, const std::string& commit, const std::string& time,
                           const MakeBaselineOptions& options) {
  return BaselineMaker(existing, result, suite, options).make(reason, commit, time);
}

}  // namespace allocgate
