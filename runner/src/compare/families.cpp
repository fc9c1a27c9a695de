// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/families.hpp"

#include "base/text.hpp"
#include "model/names.hpp"
#include "model/rational.hpp"
#include "model/slope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace allocgate {

namespace {

// Parts of a name that google-benchmark adds and that are no arguments of the function.
constexpr auto k_not_arguments = std::to_array<std::string_view>(
    {"iterations", "repeats", "min_time", "min_warmup_time", "process_time", "real_time", "manual_time"});

// An integer as google-benchmark prints it: no plus, no leading zeros, so that equal values are equal names.
std::optional<Count> integer_in(std::string_view text) {
  Count value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = end.ec == std::errc{} && end.ptr == text.data() + text.size();
  return whole && fmt::format("{}", value) == text ? std::optional(value) : std::nullopt;
}

std::string glob_with(std::string_view workload, std::size_t begin, std::size_t end) {
  return std::string(workload.substr(0, begin)) + "*" + std::string(workload.substr(end));
}

const Series* series_of(const WorkloadResult& workload, const std::string& measure) {
  const auto found = workload.measures.find(measure);
  return workload.status == WorkloadStatus::ok && found != workload.measures.end() ? &found->second : nullptr;
}

std::string argument_text(const FamilySeries& series, Count value) {
  return fmt::format("{} = {}", series.argument, grouped(value));
}

/// The members that have the measure, as points; or why they cannot be on one line.
class PointsOf {
public:
  PointsOf(const Family& family, const std::string& measure, FamilySeries& made) : m_made(made) {
    for (const Family::Member& member : family.members) {
      if (const Series* series = series_of(*member.workload, measure)) {
        m_members.emplace_back(member, series);
      }
    }
  }

  [[nodiscard]] std::size_t count() const { return m_members.size(); }

  void add_points() {
    const auto has_slope = [](const auto& member) { return member.second->slope.has_value(); };
    m_made.unit = m_members.front().second->unit;
    m_made.totals = std::none_of(m_members.begin(), m_members.end(), has_slope);
    m_made.iterations = m_made.totals ? m_members.front().first.workload->iterations : 1;
    for (const auto& [member, series] : m_members) {
      const Count total = member.workload->gate == Gate::min ? series->min : series->median;
      if (m_made.totals || series->slope) {
        m_made.points.push_back(
            {member.workload->name, member.argument, m_made.totals ? Slope{total, 1} : *series->slope});
      }
    }
    m_made.reason = reason_against();
  }

private:
  [[nodiscard]] std::string reason_against() const {
    for (const auto& [member, series] : m_members) {
      if (series->series_class != SeriesClass::exact) {
        return fmt::format("the values at {} are {}, and a line is through exact ones",
                           argument_text(m_made, member.argument), name_of(series->series_class));
      }
      if (!m_made.totals && !series->slope) {
        return fmt::format("the value at {} is not linear in the iterations", argument_text(m_made, member.argument));
      }
      if (m_made.totals && member.workload->iterations != m_made.iterations) {
        return fmt::format("the values are totals, in {} iterations and at {} in {}",
                           grouped_unsigned(m_made.iterations), argument_text(m_made, member.argument),
                           grouped_unsigned(member.workload->iterations));
      }
    }
    if (m_members.size() < k_least_family_points) {
      return fmt::format("{} values of {} are always on a line; at least {} are needed", m_members.size(),
                         m_made.argument, k_least_family_points);
    }
    return {};
  }

  FamilySeries& m_made;
  std::vector<std::pair<Family::Member, const Series*>> m_members;
};

std::optional<Rational> slope_between(const FamilyPoint& left, const FamilyPoint& right) {
  const auto rise = rational_of(right.value) - rational_of(left.value);
  const auto run = make_rational(static_cast<Wide>(right.argument) - left.argument, 1);
  return rise && run ? *rise / *run : std::nullopt;
}

/// Sets the line through all points, or the reason why there is none.
void fit(FamilySeries& series) {
  constexpr std::string_view k_too_large = "the numbers are too large to be sure";
  const std::vector<FamilyPoint>& points = series.points;
  const auto per_unit = slope_between(points[0], points[1]);
  if (!per_unit) {
    series.reason = k_too_large;
    return;
  }
  for (std::size_t index = 2; index < points.size(); ++index) {
    const auto step = slope_between(points[index - 1], points[index]);
    if (!step) {
      series.reason = k_too_large;
      return;
    }
    if (!(*step == *per_unit)) {
      const auto words = [](const Rational& rational) {
        const auto slope = slope_of(rational);
        return slope ? exact_text(*slope) : std::string("another amount");
      };
      series.reason = fmt::format("not on one line: from {} to {} it changes by {} a unit, and before by {}",
                                  argument_text(series, points[index - 1].argument), grouped(points[index].argument),
                                  words(*step), words(*per_unit));
      return;
    }
  }
  const auto part = *per_unit * *make_rational(points[0].argument, 1);
  const auto fixed = part ? rational_of(points[0].value) - *part : std::nullopt;
  const auto fixed_slope = fixed ? slope_of(*fixed) : std::nullopt;
  const auto unit_slope = slope_of(*per_unit);
  if (!fixed_slope || !unit_slope) {
    series.reason = k_too_large;
    return;
  }
  series.line = FamilyLine{*fixed_slope, *unit_slope};
}

}  // namespace

std::vector<NameArgument> arguments_of(std::string_view workload) {
  std::vector<NameArgument> arguments;
  // What stands before the first slash is the function's own name.
  for (std::size_t slash = workload.find('/'); slash != std::string_view::npos; slash = workload.find('/', slash + 1)) {
    const std::size_t end = std::min(workload.find('/', slash + 1), workload.size());
    const std::string_view part = workload.substr(slash + 1, end - slash - 1);
    const std::size_t colon = part.rfind(':');
    const std::string_view name = colon == std::string_view::npos ? std::string_view() : part.substr(0, colon);
    const std::string_view digits = colon == std::string_view::npos ? part : part.substr(colon + 1);
    const auto value = integer_in(digits);
    const bool excluded = std::find(k_not_arguments.begin(), k_not_arguments.end(), name) != k_not_arguments.end();
    if (!value || excluded || (colon != std::string_view::npos && name.empty())) {
      continue;
    }
    arguments.push_back({name.empty() ? fmt::format("argument {}", arguments.size() + 1) : std::string(name), *value,
                         glob_with(workload, end - digits.size(), end)});
  }
  return arguments;
}

std::vector<Family> families_of(const Result& result) {
  // A name may hold a "*" of its own, so the argument's place is part of what tells families apart.
  std::map<std::tuple<std::string, std::string, std::string>, Family> found;
  for (const WorkloadResult* workload : sorted_workloads(result)) {
    for (const NameArgument& argument : arguments_of(workload->name)) {
      Family& family = found[{workload->suite, argument.family, argument.name}];
      family.suite = workload->suite;
      family.name = argument.family;
      family.argument = argument.name;
      family.members.push_back({workload, argument.value});
    }
  }
  std::vector<Family> families;
  for (auto& [key, family] : found) {
    if (family.members.size() < 2) {
      continue;
    }
    std::sort(family.members.begin(), family.members.end(),
              [](const Family::Member& left, const Family::Member& right) { return left.argument < right.argument; });
    families.push_back(std::move(family));
  }
  return families;
}

std::optional<FamilySeries> family_series(const Family& family, const std::string& measure) {
  FamilySeries made;
  made.suite = family.suite;
  made.family = family.name;
  made.argument = family.argument;
  made.measure = measure;
  PointsOf points(family, measure, made);
  if (points.count() < 2) {
    return std::nullopt;
  }
  points.add_points();
  if (made.reason.empty()) {
    fit(made);
  }
  return made;
}

std::vector<FamilySeries> all_family_series(const Result& result) {
  std::vector<FamilySeries> all;
  for (const Family& family : families_of(result)) {
    std::vector<std::string> measures;
    for (const Family::Member& member : family.members) {
      for (const auto& [name, series] : member.workload->measures) {
        measures.push_back(name);
      }
    }
    for (const std::string& measure : in_display_order(std::move(measures))) {
      if (auto series = family_series(family, measure)) {
        all.push_back(*std::move(series));
      }
    }
  }
  return all;
}

std::string family_text(const FamilySeries& series) {
  if (!series.line) {
    return series.reason;
  }
  const FamilyLine& line = *series.line;
  if (line.per_unit.count == 0) {
    return fmt::format("{}, whatever {} is", exact_text(line.fixed), series.argument);
  }
  const bool named = !series.argument.starts_with("argument ");
  const std::string each =
      fmt::format("{} per {}{}", exact_text(line.per_unit), named ? "" : "unit of ", series.argument);
  return line.fixed.count == 0 ? each : fmt::format("{} + {}", exact_text(line.fixed), each);
}

}  // namespace allocgate
