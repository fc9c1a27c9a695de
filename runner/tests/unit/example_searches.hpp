// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "example_documents.hpp"
#include "model/bisection.hpp"
#include "model/matrix.hpp"

#include <string>

namespace allocgate {

inline MeasuredValue value_on_line(Count each, Count once) {
  MeasuredValue value;
  value.iterations = 100;
  value.slope = Slope{each, 1};
  value.setup = once;
  value.value = (each * 100) + once;
  value.samples = {{value.value, 3}};
  return value;
}

inline AxisPoint example_commit(char digit, const std::string& subject) {
  return {std::string(40, digit), subject, "2026-01-02T03:04:05Z"};
}

/// A search along commits that uses every field of the format but those of toolchains.
inline Bisection full_bisection() {
  Bisection bisection;
  bisection.workload = "parse/64";
  bisection.measure = "allocations";
  bisection.unit = "count";
  bisection.good = example_commit('a', "Begin");
  bisection.bad = example_commit('f', "Finish");
  bisection.good_value = value_on_line(3, 0);
  bisection.bad_value = value_on_line(4, 2);
  bisection.points = 200;
  const SkippedPoint skipped{example_commit('c', "Break it"), "it did not build"};
  BisectionStep step;
  step.point = example_commit('d', "Answer with a copy");
  step.previous = example_commit('b', "Tidy up");
  step.before = bisection.good_value;
  step.after = bisection.bad_value;
  step.delta = step.after.value - step.before.value;
  step.skipped = {skipped};
  step.merged_by = std::string(40, 'e');
  step.note = "a merge";
  step.stacks = "+1 answer\n";
  bisection.steps = {step};
  bisection.skipped = {skipped};
  bisection.measured = 9;
  bisection.remembered = 2;
  bisection.builds = 7;
  bisection.notes = {"two commits are taken as the same"};
  return bisection;
}

/// The same along toolchains, whose values are on no line.
inline Bisection full_toolchain_bisection() {
  Bisection bisection = full_bisection();
  bisection.axis = BisectionAxis::toolchain;
  bisection.good = {"gcc11", "CC=gcc-11", {}};
  bisection.bad = {"gcc12", "CC=gcc-12", {}};
  bisection.good_value.slope.reset();
  bisection.steps.front().point = bisection.bad;
  bisection.steps.front().previous = bisection.good;
  bisection.skipped = {{{"gcc13", "CC=gcc-13", {}}, "it is not installed"}};
  bisection.steps.front().skipped.clear();
  return bisection;
}

/// Two revisions with two toolchains, one cell of which failed.
inline Matrix full_matrix() {
  Matrix matrix;
  matrix.measure = "allocations";
  matrix.axes = {{"revision", {{"v1", "aaaaaaaaaa \"Begin\""}, {"v2", "bbbbbbbbbb \"Finish\""}}},
                 {"toolchain", {{"gcc12", "CXX=g++-12"}, {"clang14", "CXX=clang++-14"}}}};
  MatrixTable table{"parse/64", "count", {}, {}};
  for (const MatrixPlace& place : {MatrixPlace{0, 0}, {0, 1}, {1, 0}, {1, 1}}) {
    const bool failed = place == MatrixPlace{0, 1};
    const std::string reason = failed ? "it did not build" : "";
    matrix.cells.push_back({place, failed ? std::nullopt : std::optional(full_result()), reason, failed});
    table.entries.push_back({place, failed ? std::nullopt : std::optional(value_on_line(3, 1)), reason});
  }
  table.conclusion.effects = {{0, 1, 0}, {1, 1, 0}};
  table.conclusion.exceptions = {{1, 1}};
  table.conclusion.additive = false;
  matrix.tables = {table};
  return matrix;
}

}  // namespace allocgate
