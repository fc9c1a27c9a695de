// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "exchange/import_baseline.hpp"

#include "model/wide.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace allocgate {

namespace {

bool is_same(const std::optional<Threshold>& left, const std::optional<Threshold>& right) {
  const auto key = [](const std::optional<Threshold>& threshold) {
    const Threshold given = threshold.value_or(Threshold());
    const Threshold::Range range = given.range.value_or(Threshold::Range());
    return std::tuple(threshold.has_value(), given.range.has_value(), range.lowest, range.highest, given.thousandths,
                      given.absolute);
  };
  return key(left) == key(right);
}

/// The values that differ from `value` by no more than is tolerated, as package-benchmark means it: to either side, the
/// last one included.
Threshold band_around(Count value, const Threshold& tolerance) {
  if (tolerance.range) {
    return tolerance;
  }
  constexpr Wide k_thousandths_of_a_percent = 100'000;
  const Wide part = magnitude(static_cast<Wide>(value)) * tolerance.thousandths.value_or(0);
  const Wide amount = std::max<Wide>(tolerance.absolute.value_or(0), part / k_thousandths_of_a_percent);
  const Wide lowest = value < 0 ? value - amount : std::max<Wide>(0, value - amount);
  Threshold band;
  band.range = Threshold::Range{to_count(lowest).value_or(std::numeric_limits<Count>::min()),
                                to_count(value + amount).value_or(std::numeric_limits<Count>::max())};
  return band;
}

BaselineChange change_of(const std::string& workload, const std::string& measure) {
  BaselineChange change;
  change.workload = workload;
  change.measure = measure;
  return change;
}

class Importer {
public:
  Importer(const std::optional<Baseline>& existing, const std::string& suite, const Testbed& testbed,
           const ImportOptions& options)
      : m_options(options) {
    if (existing) {
      m_made.baseline = *existing;
    } else {
      m_made.baseline.testbed = testbed;
    }
    m_made.baseline.suite = suite;
  }

  void take(const std::string& name, const std::map<std::string, ForeignMeasure>& measures) {
    BaselineWorkload& entry = m_made.baseline.workloads[name];
    if (entry.iterations != m_options.iterations) {
      for (const auto& [measure, old] : entry.measures) {
        if (measures.count(measure) == 0) {
          BaselineChange change = change_of(name, measure);
          change.before = old.value;
          m_made.changes.push_back(std::move(change));
        }
      }
    }
    BaselineWorkload before = entry;
    if (entry.iterations != m_options.iterations) {
      entry = BaselineWorkload();
      entry.iterations = m_options.iterations;
      entry.depends_on = before.depends_on;
      entry.gate = before.gate;
    }
    bool differs = entry.iterations != before.iterations;
    for (const auto& [measure, foreign] : measures) {
      differs = take(name, measure, foreign, before, entry) || differs;
    }
    if (differs) {
      entry.updated_at = m_options.time;
      entry.commit = m_options.commit;
      entry.reason = m_options.reason;
    }
  }

  MadeBaseline made() { return std::move(m_made); }

private:
  /// Whether it is not what it was.
  bool take(const std::string& name, const std::string& measure, const ForeignMeasure& foreign,
            const BaselineWorkload& before, BaselineWorkload& entry) {
    BaselineMeasure made;
    made.value = foreign.value;
    made.threshold = foreign.limit;
    if (!made.threshold && m_options.tolerance) {
      made.threshold = band_around(made.value, *m_options.tolerance);
    }
    const auto old = before.measures.find(measure);
    const bool is_new = old == before.measures.end();
    if (!is_new && before.iterations == entry.iterations && old->second.value == made.value &&
        is_same(old->second.threshold, made.threshold)) {
      ++m_made.unchanged;
      return false;
    }
    BaselineChange change = change_of(name, measure);
    change.before = is_new ? std::nullopt : std::optional(old->second.value);
    change.after = made.value;
    m_made.changes.push_back(std::move(change));
    entry.measures[measure] = std::move(made);
    return true;
  }

  const ImportOptions& m_options;
  MadeBaseline m_made;
};

}  // namespace

MadeBaseline import_baseline(const std::optional<Baseline>& existing, const std::string& suite,
                             const std::map<std::string, std::map<std::string, ForeignMeasure>>& workloads,
                             const Testbed& testbed, const ImportOptions& options) {
  Importer importer(existing, suite, testbed, options);
  for (const auto& [name, measures] : workloads) {
    importer.take(name, measures);
  }
  return importer.made();
}

}  // namespace allocgate
