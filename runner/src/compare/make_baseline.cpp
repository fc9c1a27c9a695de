// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/make_baseline.hpp"

#include "base/text.hpp"
#include "compare/baseline_entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace allocgate {

namespace {

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
    if (m_options.remove_missing && !is_unlistable()) {
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
    MadeEntry made = make_entry(workload, old(workload.name), m_options);
    if (made.entry && !made.entry->measures.empty()) {
      m_taken.push_back(workload.name);
      if (made.differs) {
        made.entry->updated_at = time;
        made.entry->commit = commit;
        made.entry->reason = reason;
        made.entry->stacks.clear();  // they were of the old values
        m_made.baseline.workloads.insert_or_assign(workload.name, *std::move(made.entry));
        m_touched = true;
      }
    }
    m_made.unchanged += made.unchanged;
    append(m_made.changes, std::move(made.changes));
    append(m_made.refusals, std::move(made.refusals));
  }

  // A program that could not say what it has stands in the result under its own name, as failed: what it did not list
  // may be there all the same.
  [[nodiscard]] bool is_unlistable() const {
    const std::string& suite = m_made.baseline.suite;
    return std::any_of(m_result.workloads.begin(), m_result.workloads.end(), [&suite](const WorkloadResult& workload) {
      return workload.suite == suite && workload.name == suite && workload.status == WorkloadStatus::failed;
    });
  }

  void remove_missing() {
    std::erase_if(m_made.baseline.workloads, [this](const auto& entry) {
      const std::string& name = entry.first;
      if (!is_chosen(name, m_options) || std::find(m_measured.begin(), m_measured.end(), name) != m_measured.end()) {
        return false;
      }
      BaselineChange change;
      change.workload = name;
      change.sentence = "removed, because the result does not have it";
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
    leave_out_cores_of_other_suites();
  }

  // Else a new version of one core would make the baseline of every suite not comparable. Where no workload of the
  // whole result says which core it uses, all may matter and all are kept.
  void leave_out_cores_of_other_suites() {
    const auto is_core = [](const std::string& field) { return field.starts_with(k_core_prefix); };
    const bool cores_are_named =
        std::any_of(m_result.workloads.begin(), m_result.workloads.end(), [&](const WorkloadResult& workload) {
          return std::any_of(workload.depends_on.begin(), workload.depends_on.end(), is_core);
        });
    const auto is_used = [this](const std::string& field) {
      const auto& workloads = m_made.baseline.workloads;
      return std::any_of(workloads.begin(), workloads.end(), [&](const auto& entry) {
        const std::vector<std::string>& depends_on = entry.second.depends_on;
        return std::find(depends_on.begin(), depends_on.end(), field) != depends_on.end();
      });
    };
    std::erase_if(m_made.baseline.testbed.fields,
                  [&](const auto& field) { return cores_are_named && is_core(field.first) && !is_used(field.first); });
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
                         workload, difference_text(difference)),
             VerdictKind::not_comparable});
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
