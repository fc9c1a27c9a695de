// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/line_search.hpp"

#include "cli/output_options.hpp"
#include "compare/found_value.hpp"
#include "compare/point_difference.hpp"
#include "report/stacks_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace allocgate {

namespace {

constexpr std::uint64_t k_most_processes = 30;  // of a value that is not exact; ten at once, as `run` has them
constexpr unsigned k_most_repeats = 4;          // where some of them fail

}  // namespace

std::optional<MeasuredValue> LineSearch::value(const LinePoint& point) {
  if (!m_known.contains(point.point.name)) {
    const LinePoint* one = &point;
    measure({&one, 1}, false);
  }
  return known(point).value;
}

std::string LineSearch::reason(const LinePoint& point) const {
  return known(point).reason;
}

void LineSearch::measure(std::span<const LinePoint* const> points, bool again) {
  std::vector<BuiltPlace> places;
  for (const LinePoint* point : points) {
    places.push_back(point->place);
  }
  const std::vector<PlaceOutcome> outcomes = again ? m_measurer.measure_again(places) : m_measurer.measure(places);
  for (std::size_t i = 0; i < points.size(); ++i) {
    m_builds += outcomes[i].built ? 1 : 0;
    m_remembered += outcomes[i].from_memory ? 1 : 0;
    Known known = known_of(outcomes[i]);
    Known& stored = m_known[points[i]->point.name];
    if (again && stored.value && known.value) {
      known.value = merged(*stored.value, *known.value);
      known.stacks = stored.stacks;
    }
    // A second time that fails says nothing new about the value.
    if (!again || known.value) {
      stored = std::move(known);
    }
  }
}

LineSearch::Known LineSearch::known_of(const PlaceOutcome& outcome) {
  Known known;
  if (!outcome.result) {
    known.reason = outcome.reason;
    return known;
  }
  FoundValue found = find_value(*outcome.result, m_followed.workload, m_followed.measure);
  if (found.value) {
    m_unit = found.unit;
    m_iterations = m_iterations.value_or(found.value->iterations);
    found = at_iterations(std::move(found), *m_iterations);
  }
  known.value = std::move(found.value);
  known.reason = std::move(found.reason);
  const auto stacks = outcome.stacks.find(m_followed.workload);
  if (stacks != outcome.stacks.end()) {
    known.stacks = stacks->second;
  }
  if (known.value && m_followed.by_stacks && !known.stacks) {
    const auto missing = outcome.stacks_missing.find(m_followed.workload);
    known.value.reset();
    known.reason = missing == outcome.stacks_missing.end() ? "it has no call stacks" : missing->second;
  }
  return known;
}

bool LineSearch::differ(const LinePoint& before, const LinePoint& after) {
  for (unsigned repeat = 0;; ++repeat) {
    const PointDifference difference =
        difference_between(*known(before).value, *known(after).value, m_followed.threshold, k_most_processes);
    if (difference == PointDifference::different || stacks_differ(before, after)) {
      return true;
    }
    const bool told_apart = difference == PointDifference::same && repeat == 0;
    if (!told_apart && (difference == PointDifference::same || repeat == k_most_repeats)) {
      m_notes.push_back(fmt::format("{} and {} are taken as the same: more processes did not tell a change from chance",
                                    before.place.in_words(), after.place.in_words()));
    }
    if (difference == PointDifference::same || repeat == k_most_repeats) {
      return false;
    }
    const std::array both = {&before, &after};
    measure(both, true);
  }
}

StackDiff LineSearch::stack_diff(const Known& before, const Known& after, bool pair) const {
  DiffOptions options;
  options.measure = m_followed.measure;
  options.pair = pair;
  return StackDiff(*before.stacks, *after.stacks, options);
}

bool LineSearch::stacks_differ(const LinePoint& before, const LinePoint& after) const {
  if (!m_followed.by_stacks) {
    return false;
  }
  // Without pairs: a site under another name is another site.
  const StackDiff diff = stack_diff(known(before), known(after), false);
  return !diff.only_in_before().empty() || !diff.only_in_after().empty() || !diff.changed().empty();
}

std::string LineSearch::stacks_between(const AxisPoint& before, const AxisPoint& after) const {
  const Known& left = m_known.at(before.name);
  const Known& right = m_known.at(after.name);
  return left.stacks && right.stacks ? stack_diff_report(stack_diff(left, right, true), Style(), k_indented_width)
                                     : std::string();
}

SearchEnd LineSearch::steps_of(std::span<const LinePoint> line) {
  PointQuestions questions;
  questions.measure = [&](std::span<const std::size_t> indexes) {
    std::vector<const LinePoint*> unknown;
    for (const std::size_t index : indexes) {
      if (!m_known.contains(line[index].point.name)) {
        unknown.push_back(&line[index]);
      }
    }
    measure(unknown, false);
    std::vector<bool> answers;
    for (const std::size_t index : indexes) {
      answers.push_back(known(line[index]).value.has_value());
    }
    return answers;
  };
  questions.differ = [&](std::size_t before, std::size_t after) { return differ(line[before], line[after]); };
  return find_steps(line.size(), m_plan, questions);
}

void LineSearch::account(Bisection& bisection) const {
  bisection.unit = m_unit;
  bisection.notes.insert(bisection.notes.end(), m_notes.begin(), m_notes.end());
  bisection.builds = m_builds;
  bisection.remembered = m_remembered;
  bisection.measured = static_cast<std::size_t>(
      std::count_if(m_known.begin(), m_known.end(), [](const auto& entry) { return entry.second.value.has_value(); }));
}

}  // namespace allocgate
