// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/bisecting.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/wide.hpp"
#include "revisions/commit_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace allocgate {

namespace {

using Line = std::vector<LinePoint>;

LinePoint point_of(const Revision& revision) {
  return {{revision.commit, revision.subject, revision.date}, {revision, {}, {}, {}}};
}

Line line_of(const std::vector<Revision>& revisions) {
  Line line;
  for (const Revision& revision : revisions) {
    line.push_back(point_of(revision));
  }
  return line;
}

Count change_from(const MeasuredValue& before, const MeasuredValue& after) {
  const std::optional<Count> change = to_count(static_cast<Wide>(after.value) - before.value);
  if (!change) {
    throw Error(ExitCode::not_measured, "the difference between two values does not fit into 64 bits");
  }
  return *change;
}

MeasuredValue value_of_end(LineSearch& search, const LinePoint& end, const char* which) {
  const std::optional<MeasuredValue> value = search.value(end);
  if (!value) {
    throw Error(ExitCode::not_measured,
                fmt::format("the {} end, {}, could not be measured, so nothing lies between: {}", which,
                            end.place.in_words(), search.reason(end)));
  }
  return *value;
}

/// Searches lines of points for one measure and keeps what it found.
class Bisecting {
public:
  Bisecting(const FollowedMeasure& followed, LineSearch& search, BisectionAxis axis) : m_search(search) {
    m_found.workload = followed.workload;
    m_found.measure = followed.measure;
    m_found.axis = axis;
  }

  void begin(const Line& line) {
    m_found.good = line.front().point;
    m_found.bad = line.back().point;
    m_found.points = line.size() - 1;
    m_found.good_value = value_of_end(m_search, line.front(), "good");
    m_found.bad_value = value_of_end(m_search, line.back(), "bad");
  }

  /// The steps of `line`, whose ends are measured.
  std::vector<BisectionStep> steps_on(const Line& line) {
    const SearchEnd end = m_search.steps_of(line);
    for (const std::size_t index : end.skipped) {
      skip(line[index]);
    }
    std::vector<BisectionStep> steps;
    for (const FoundStep& found : end.steps) {
      BisectionStep step = step_between(line[found.before], line[found.after]);
      for (const std::size_t index : found.skipped) {
        step.skipped.push_back({line[index].point, m_search.reason(line[index])});
      }
      steps.push_back(std::move(step));
    }
    return steps;
  }

  BisectionStep step_between(const LinePoint& before, const LinePoint& after) {
    BisectionStep step;
    step.point = after.point;
    step.previous = before.point;
    step.before = *m_search.value(before);
    step.after = *m_search.value(after);
    step.delta = change_from(step.before, step.after);
    step.stacks = m_search.stacks_between(before.point, after.point);
    return step;
  }

  void skip(const LinePoint& point) {
    if (m_skipped.insert(point.point.name).second) {
      m_found.skipped.push_back({point.point, m_search.reason(point)});
    }
  }

  Bisection end(std::vector<BisectionStep> steps) {
    m_found.steps = std::move(steps);
    m_search.account(m_found);
    return std::move(m_found);
  }

  LineSearch& search() { return m_search; }
  Bisection& found() { return m_found; }

private:
  LineSearch& m_search;
  Bisection m_found;
  std::set<std::string> m_skipped;
};

/// The commits between two, merges looked into.
class CommitBisecting {
public:
  CommitBisecting(const Repository& repository, const CommitSearch& how, Bisecting& bisecting)
      : m_repository(repository), m_how(how), m_bisecting(bisecting) {}

  std::vector<BisectionStep> every_step(const std::vector<Revision>& revisions) {
    std::vector<BisectionStep> steps;
    for (BisectionStep& step : m_bisecting.steps_on(line_of(revisions))) {
      const auto revision = std::find_if(revisions.begin(), revisions.end(), [&step](const Revision& candidate) {
        return candidate.commit == step.point.name;
      });
      std::vector<BisectionStep> inside =
          m_how.first_parent || !step.skipped.empty() ? std::vector<BisectionStep>() : inside_of(*revision, step);
      if (inside.empty()) {
        steps.push_back(std::move(step));
      } else {
        std::move(inside.begin(), inside.end(), std::back_inserter(steps));
      }
    }
    return steps;
  }

  /// By git's own rules: what is not as the good end is bad, and a commit is the first bad one when all its parents are
  /// good.
  std::vector<BisectionStep> first_step(const Revision& good_end, const Revision& bad_end) {
    LineSearch& search = m_bisecting.search();
    const LinePoint good = point_of(good_end);
    if (!search.differ(good, point_of(bad_end))) {
      return {};
    }
    std::vector<std::string> goods = {good_end.commit};
    std::set<std::string> skipped;
    Revision bad = bad_end;
    while (const auto next = halving_commit(m_repository, goods, bad.commit, skipped, m_how.first_parent)) {
      const LinePoint point = point_of(*next);
      if (!search.value(point)) {
        m_bisecting.skip(point);
        skipped.insert(next->commit);
      } else if (search.differ(good, point)) {
        bad = *next;
      } else {
        goods.push_back(next->commit);
      }
    }
    return {first_bad(good, bad, goods)};
  }

private:
  BisectionStep first_bad(const LinePoint& good, const Revision& bad, const std::vector<std::string>& goods) {
    // Its parent is as the good end, or could not be measured: then the good end stands for it.
    LinePoint previous = good;
    if (!bad.parents.empty()) {
      const LinePoint parent = point_of(m_repository.resolve(bad.parents.front()));
      previous = m_bisecting.search().value(parent) ? parent : good;
    }
    BisectionStep step = m_bisecting.step_between(previous, point_of(bad));
    for (const Revision& candidate : commits_without(m_repository, bad.commit, goods, m_how.first_parent)) {
      if (candidate.commit != bad.commit) {
        const LinePoint point = point_of(candidate);
        step.skipped.push_back({point.point, m_bisecting.search().reason(point)});
      }
    }
    return step;
  }

  /// The steps of the branches that `merge` brought, if they are what it changed; else nothing, and the step says why.
  std::vector<BisectionStep> inside_of(const Revision& merge, BisectionStep& step) {
    std::vector<BisectionStep> steps;
    Wide sum = 0;
    for (std::size_t parent = 1; parent < merge.parents.size(); ++parent) {
      const auto branch = merged_branch(m_repository, merge, parent);
      if (!branch || branch->size() < 2) {
        continue;
      }
      const LinePoint begin = point_of(branch->front());
      const LinePoint end = point_of(branch->back());
      if (!m_bisecting.search().value(begin) || !m_bisecting.search().value(end)) {
        step.note = "a merge; an end of its branch could not be measured, so its commits were not searched";
        return {};
      }
      for (BisectionStep& inside : every_step(*branch)) {
        sum += inside.delta;
        inside.merged_by = inside.merged_by.empty() ? merge.commit : inside.merged_by;
        steps.push_back(std::move(inside));
      }
    }
    if (merge.parents.size() > 1 && sum != step.delta) {
      step.note = steps.empty() ? "a merge; no commit of its branch changed the value before it was merged"
                                : fmt::format(
                                      "a merge; the commits of its branch changed the value by {} in all, "
                                      "so the merge itself did a part of it",
                                      grouped_with_sign(to_count(sum).value_or(0)));
      return {};
    }
    return steps;
  }

  const Repository& m_repository;
  const CommitSearch& m_how;
  Bisecting& m_bisecting;
};

std::size_t index_of(const std::vector<NamedVariables>& toolchains, const std::string& name, std::size_t otherwise,
                     const char* option) {
  if (name.empty()) {
    return otherwise;
  }
  std::vector<std::string> names;
  for (const NamedVariables& toolchain : toolchains) {
    names.push_back(toolchain.name);
  }
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw Error(ExitCode::usage,
                fmt::format("{}: there is no --toolchain '{}'{}", option, name, did_you_mean(name, names)));
  }
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

Bisection bisect_commits(const Repository& repository, const SearchEnds& ends, const CommitSearch& how,
                         const FollowedMeasure& followed, LineSearch& search) {
  const Revision good = repository.resolve(ends.good);
  const Revision bad = repository.resolve(ends.bad);
  const std::vector<Revision> revisions = commits_between(repository, good, bad);
  Bisecting bisecting(followed, search, BisectionAxis::commits);
  bisecting.begin(line_of(revisions));
  bisecting.found().first_only = how.first_only;
  CommitBisecting commits(repository, how, bisecting);
  return bisecting.end(how.first_only ? commits.first_step(good, bad) : commits.every_step(revisions));
}

Bisection bisect_toolchains(const Revision& revision, const std::vector<NamedVariables>& toolchains,
                            const SearchEnds& ends, const FollowedMeasure& followed, LineSearch& search) {
  const std::size_t good = index_of(toolchains, ends.good, 0, "--good");
  const std::size_t bad = index_of(toolchains, ends.bad, toolchains.size() - 1, "--bad");
  if (good >= bad) {
    throw Error(ExitCode::usage,
                "--along toolchain needs two of --toolchain at least, in their order, the good end "
                "before the bad one");
  }
  Line line;
  for (std::size_t index = good; index <= bad; ++index) {
    const NamedVariables& toolchain = toolchains[index];
    line.push_back({{toolchain.name, toolchain.in_words(), {}}, {revision, toolchain.name, {}, toolchain.variables}});
  }
  Bisecting bisecting(followed, search, BisectionAxis::toolchain);
  bisecting.begin(line);
  return bisecting.end(bisecting.steps_on(line));
}

}  // namespace allocgate
