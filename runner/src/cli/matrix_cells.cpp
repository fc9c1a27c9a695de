// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/matrix_cells.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "compare/found_value.hpp"
#include "compare/matrix_conclusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace allocgate {

namespace {

constexpr const char* k_axis_without_name = "variant";

/// "REV+FILE+FILE": what stands before the first file, and the files. A revision may have a plus in its name, so the
/// split is before the first part that is a file.
struct PatchedName {
  std::string revision;
  std::vector<std::string> patches;
};

PatchedName patched_name(const std::string& text) {
  std::size_t split = text.find('+');
  while (split != std::string::npos) {
    const std::size_t end = text.find('+', split + 1);
    std::error_code error;
    if (std::filesystem::exists(text.substr(split + 1, end - split - 1), error)) {
      break;
    }
    split = end;
  }
  PatchedName name{text.substr(0, split), {}};
  while (split != std::string::npos) {
    const std::size_t end = text.find('+', split + 1);
    name.patches.push_back(text.substr(split + 1, end - split - 1));
    split = end;
  }
  return name;
}

Revision revision_of(const Repository& repository, const std::string& text) {
  const PatchedName name = patched_name(text);
  Revision revision = repository.named(name.revision.empty() ? "HEAD" : name.revision);
  const std::string subject = revision.subject;
  for (const std::string& patch : name.patches) {
    revision = repository.with_patch(revision, patch);
    revision.subject = fmt::format("{} with {}", subject, patch);
  }
  return revision;
}

/// Every combination of levels, the last axis fastest.
std::vector<MatrixPlace> all_places(const std::vector<MatrixAxis>& axes) {
  std::vector<MatrixPlace> places = {{}};
  for (const MatrixAxis& axis : axes) {
    std::vector<MatrixPlace> longer;
    for (const MatrixPlace& place : places) {
      for (std::size_t level = 0; level < axis.levels.size(); ++level) {
        longer.push_back(place);
        longer.back().push_back(level);
      }
    }
    places = std::move(longer);
  }
  return places;
}

void allow_failures(const std::vector<std::string>& allowed, MatrixPlan& plan) {
  for (const std::string& pattern : allowed) {
    bool any = false;
    std::vector<std::string> names;
    for (MatrixCell& cell : plan.cells) {
      names.push_back(place_name(plan.axes, cell.place));
      if (glob_matches(pattern, names.back())) {
        cell.may_fail = true;
        any = true;
      }
    }
    if (!any) {
      throw Error(ExitCode::usage, fmt::format("--allow-failure: there is no cell '{}'{}; cells are {}", pattern,
                                               did_you_mean(pattern, names), joined(names, ", ")));
    }
  }
}

FoundValue found_in(const MatrixCell& cell, const std::string& workload, const std::string& measure) {
  return cell.result ? find_value(*cell.result, workload, measure) : FoundValue{std::nullopt, {}, cell.reason};
}

}  // namespace

std::vector<VariablesAxis> parse_axes(const std::vector<std::string>& texts) {
  std::vector<VariablesAxis> axes;
  for (NamedVariables level : parse_named_variables("--axis", texts)) {
    const std::size_t slash = level.name.find('/');
    const std::string axis = slash == std::string::npos ? k_axis_without_name : level.name.substr(0, slash);
    level.name = level.name.substr(slash == std::string::npos ? 0 : slash + 1);
    auto found = std::find_if(axes.begin(), axes.end(),
                              [&axis](const VariablesAxis& candidate) { return candidate.name == axis; });
    if (axis.empty() || level.name.empty() || axis == "revision" || axis == "toolchain") {
      throw Error(ExitCode::usage, fmt::format("--axis: '{}/{}' is no level of an axis of yours; write "
                                               "AXIS/LEVEL=VARIABLE=VALUE, as in 'optimization/O0=CXXFLAGS=-O0'",
                                               axis, level.name));
    }
    if (found == axes.end()) {
      found = axes.insert(axes.end(), {axis, {}});
    }
    found->levels.push_back(std::move(level));
  }
  return axes;
}

MatrixPlan plan_matrix(const Repository& repository, const std::vector<std::string>& revisions,
                       const std::vector<NamedVariables>& toolchains, const std::vector<VariablesAxis>& axes,
                       const std::vector<std::string>& allowed_failures) {
  MatrixPlan plan;
  std::vector<Revision> built;
  plan.axes.push_back({"revision", {}});
  for (const std::string& name : revisions) {
    built.push_back(revision_of(repository, name));
    plan.axes.front().levels.push_back(
        {name, fmt::format("{} \"{}\"", short_commit(built.back().commit), built.back().subject)});
  }
  std::vector<VariablesAxis> variables;
  if (!toolchains.empty()) {
    variables.push_back({"toolchain", toolchains});
  }
  variables.insert(variables.end(), axes.begin(), axes.end());
  for (const VariablesAxis& axis : variables) {
    plan.axes.push_back({axis.name, {}});
    for (const NamedVariables& level : axis.levels) {
      plan.axes.back().levels.push_back({level.name, level.in_words()});
    }
  }
  for (const MatrixPlace& place : all_places(plan.axes)) {
    BuiltPlace cell{built[place.front()], {}, {}, {}};
    for (std::size_t axis = 0; axis < variables.size(); ++axis) {
      const NamedVariables& level = variables[axis].levels[place[axis + 1]];
      cell.toolchain += (cell.toolchain.empty() ? "" : ":") + level.name;
      for (const auto& [name, value] : level.variables) {
        cell.variables[name] = value;
      }
    }
    plan.places.push_back(std::move(cell));
    plan.cells.push_back({place, std::nullopt, {}, false});
  }
  allow_failures(allowed_failures, plan);
  return plan;
}

std::vector<MatrixTable> tables_of(const Matrix& matrix, const std::optional<Threshold>& threshold) {
  std::set<std::string> workloads;
  for (const MatrixCell& cell : matrix.cells) {
    for (const WorkloadResult& workload : cell.result ? cell.result->workloads : std::vector<WorkloadResult>()) {
      workloads.insert(workload.name);
    }
  }
  std::vector<MatrixTable> tables;
  for (const std::string& workload : workloads) {
    MatrixTable table;
    table.workload = workload;
    std::optional<std::uint64_t> iterations;  // of the first value: the others are taken there
    for (const MatrixCell& cell : matrix.cells) {
      FoundValue found = found_in(cell, workload, matrix.measure);
      if (found.value) {
        table.unit = found.unit;
        iterations = iterations.value_or(found.value->iterations);
        found = at_iterations(std::move(found), *iterations);
      }
      table.entries.push_back({cell.place, std::move(found.value), std::move(found.reason)});
    }
    table.conclusion = conclude(matrix.axes, table.entries, threshold);
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace allocgate
