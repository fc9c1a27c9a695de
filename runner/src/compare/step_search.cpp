// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/step_search.hpp"

#include <algorithm>

namespace allocgate {

namespace {

enum class PointState { untried, measured, unmeasurable };

/// Both ends are measured, and no point between them is.
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A run of untried points: [begin, end).
struct Run {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

class StepSearch {
public:
  StepSearch(std::size_t points, const SearchPlan& plan, const PointQuestions& questions)
      : m_plan(plan), m_questions(questions), m_states(points, PointState::untried) {
    m_states.front() = PointState::measured;
    m_states.back() = PointState::measured;
  }

  SearchEnd find() {
    std::vector<Part> parts = first_parts();
    while (!parts.empty()) {
      std::erase_if(parts, [this](const Part& part) { return is_settled(part); });
      ask(wanted_of(parts));
      parts = split(parts);
    }
    std::sort(m_steps.begin(), m_steps.end(),
              [](const FoundStep& left, const FoundStep& right) { return left.before < right.before; });
    SearchEnd end;
    end.steps = std::move(m_steps);
    for (std::size_t point = 0; point < m_states.size(); ++point) {
      if (m_states[point] == PointState::unmeasurable) {
        end.skipped.push_back(point);
      }
    }
    return end;
  }

private:
  std::vector<Part> first_parts() {
    const std::size_t last = m_states.size() - 1;
    std::vector<std::size_t> grid;
    for (std::size_t i = 1; i < m_plan.grid; ++i) {
      const std::size_t point = last * i / m_plan.grid;
      if (point > 0 && point < last && (grid.empty() || grid.back() != point)) {
        grid.push_back(point);
      }
    }
    for (std::size_t i = 0; i < grid.size(); i += m_plan.jobs) {
      ask({grid.begin() + static_cast<std::ptrdiff_t>(i),
           grid.begin() + static_cast<std::ptrdiff_t>(std::min(i + m_plan.jobs, grid.size()))});
    }
    return split({{0, last}});
  }

  /// Asks a part's ends; nothing changed there, or there is nothing left to try in it.
  bool is_settled(const Part& part) {
    if (!m_questions.differ(part.begin, part.end)) {
      return true;
    }
    if (!longest_runs(part).empty()) {
      return false;
    }
    FoundStep step{part.begin, part.end, {}};
    for (std::size_t point = part.begin + 1; point < part.end; ++point) {
      step.skipped.push_back(point);
    }
    m_steps.push_back(std::move(step));
    return true;
  }

  /// The untried runs of a part, the longest first, and of equals the one nearest to the beginning.
  [[nodiscard]] std::vector<Run> longest_runs(const Part& part) const {
    std::vector<Run> runs;
    for (std::size_t point = part.begin + 1; point < part.end; ++point) {
      if (m_states[point] != PointState::untried) {
        continue;
      }
      if (runs.empty() || runs.back().end != point) {
        runs.push_back({point, point});
      }
      runs.back().end = point + 1;
    }
    std::stable_sort(runs.begin(), runs.end(),
                     [](const Run& left, const Run& right) { return left.size() > right.size(); });
    return runs;
  }

  /// One point of each part, or as many as keep `jobs` busy, spread over its longest run.
  [[nodiscard]] std::vector<std::size_t> wanted_of(const std::vector<Part>& parts) const {
    std::vector<std::size_t> wanted;
    for (const Part& part : parts) {
      const Run run = longest_runs(part).front();
      const std::size_t share = std::clamp(m_plan.jobs / parts.size(), std::size_t{1}, run.size());
      for (std::size_t i = 1; i <= share; ++i) {
        // The middle of n points for a share of one: as many on its left as on its right, or one fewer.
        const std::size_t point = run.begin + ((run.size() + 1) * i / (share + 1)) - 1;
        if (wanted.empty() || wanted.back() != point) {
          wanted.push_back(std::max(point, run.begin));
        }
      }
    }
    return wanted;
  }

  void ask(const std::vector<std::size_t>& points) {
    if (points.empty()) {
      return;
    }
    const std::vector<bool> answers = m_questions.measure(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      m_states[points[i]] = answers[i] ? PointState::measured : PointState::unmeasurable;
    }
  }

  [[nodiscard]] std::vector<Part> split(const std::vector<Part>& parts) const {
    std::vector<Part> halves;
    for (const Part& part : parts) {
      std::size_t begin = part.begin;
      for (std::size_t point = part.begin + 1; point <= part.end; ++point) {
        if (m_states[point] == PointState::measured) {
          halves.push_back({begin, point});
          begin = point;
        }
      }
    }
    return halves;
  }

  const SearchPlan& m_plan;
  const PointQuestions& m_questions;
  std::vector<PointState> m_states;
  std::vector<FoundStep> m_steps;
};

}  // namespace

SearchEnd find_steps(std::size_t points, const SearchPlan& plan, const PointQuestions& questions) {
  return StepSearch(points, plan, questions).find();
}

}  // namespace allocgate
