// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/revision_measurer.hpp"
#include "compare/step_search.hpp"
#include "model/bisection.hpp"
#include "model/threshold.hpp"
#include "stacks/recording.hpp"
#include "stacks/stack_diff.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace allocgate {

/// A point of a line with what stands behind it.
struct LinePoint {
  AxisPoint point;
  BuiltPlace place;
};

/// What is followed along a line.
struct FollowedMeasure {
  std::string workload;
  std::string measure;
  std::optional<Threshold> threshold;
  bool by_stacks = false;  // also a change of the call stacks alone is one
};

/// Measures points of lines and says which differ. Each point is measured once, however many lines have it. One thread.
class LineSearch {
public:
  LineSearch(RevisionMeasurer& measurer, FollowedMeasure followed, SearchPlan plan)
      : m_measurer(measurer), m_followed(std::move(followed)), m_plan(plan) {}

  /// The value at `point`, measured if need be; nothing where it could not be, for which reason() is.
  std::optional<MeasuredValue> value(const LinePoint& point);
  [[nodiscard]] std::string reason(const LinePoint& point) const;

  /// Whether two points differ, each measured more often where chance cannot be told from a change. Both have a value.
  bool differ(const LinePoint& before, const LinePoint& after);

  /// What changed in the call stacks between two points, as text; empty where they were not recorded.
  [[nodiscard]] std::string stacks_between(const AxisPoint& before, const AxisPoint& after) const;

  /// Every step of `line`, whose ends have a value.
  SearchEnd steps_of(std::span<const LinePoint> line);

  /// Adds what was measured, remembered and built so far, and the measure's unit.
  void account(Bisection& bisection) const;

private:
  struct Known {
    std::optional<MeasuredValue> value;
    std::string reason;
    std::shared_ptr<Recording> stacks;
  };

  [[nodiscard]] bool stacks_differ(const LinePoint& before, const LinePoint& after) const;
  [[nodiscard]] StackDiff stack_diff(const Known& before, const Known& after, bool pair) const;
  void measure(std::span<const LinePoint* const> points, bool again);
  Known known_of(const PlaceOutcome& outcome);
  [[nodiscard]] const Known& known(const LinePoint& point) const { return m_known.at(point.point.name); }

  RevisionMeasurer& m_measurer;
  FollowedMeasure m_followed;
  SearchPlan m_plan;
  std::map<std::string, Known> m_known;       // by name
  std::optional<std::uint64_t> m_iterations;  // of the first value: the others are taken there
  std::string m_unit;
  std::size_t m_builds = 0;
  std::size_t m_remembered = 0;
  std::vector<std::string> m_notes;
};

}  // namespace allocgate
