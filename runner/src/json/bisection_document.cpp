// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/documents.hpp"
#include "json/parts.hpp"
#include "model/slope.hpp"

namespace allocgate {

namespace {

JsonValue to_json(const AxisPoint& point, BisectionAxis axis) {
  JsonValue object = JsonValue::object();
  if (axis == BisectionAxis::commits) {
    return object.add("commit", point.name).add("subject", point.subject).add("date", point.date);
  }
  return object.add("toolchain", point.name).add("variables", point.subject);
}

JsonValue to_json(const std::vector<SkippedPoint>& skipped, BisectionAxis axis) {
  JsonValue array = JsonValue::array();
  for (const SkippedPoint& one : skipped) {
    array.push(to_json(one.point, axis).add("reason", one.reason));
  }
  return array;
}

/// A whole ratio as an integer, so that counts stay counts.
JsonValue number_of(const Slope& slope) {
  return slope.iterations == 1 ? JsonValue(slope.count) : JsonValue(to_number(slope));
}

bool is_per_iteration(const Bisection& bisection) {
  const auto has_line = [](const MeasuredValue& value) { return value.slope && value.setup; };
  bool all = has_line(bisection.good_value) && has_line(bisection.bad_value);
  for (const BisectionStep& step : bisection.steps) {
    all = all && has_line(step.before) && has_line(step.after) && difference(*step.after.slope, *step.before.slope);
  }
  return all;
}

void add_values(JsonValue& object, const MeasuredValue& before, const MeasuredValue& after, bool per_iteration) {
  const JsonValue total = JsonValue::object()
                              .add("before", before.value)
                              .add("after", after.value)
                              .add("delta", after.value - before.value);
  if (!per_iteration) {
    object.add("before", before.value).add("after", after.value).add("delta", after.value - before.value);
    return;
  }
  object.add("before", number_of(*before.slope));
  object.add("after", number_of(*after.slope));
  object.add("delta", number_of(*difference(*after.slope, *before.slope)));
  object.add("once", JsonValue::object()
                         .add("before", *before.setup)
                         .add("after", *after.setup)
                         .add("delta", *after.setup - *before.setup));
  object.add("total", total);
}

JsonValue to_json(const BisectionStep& step, BisectionAxis axis, bool per_iteration) {
  JsonValue object = to_json(step.point, axis);
  object.add("previous", to_json(step.previous, axis));
  add_values(object, step.before, step.after, per_iteration);
  if (!step.merged_by.empty()) {
    object.add("merged_by", step.merged_by);
  }
  if (!step.note.empty()) {
    object.add("note", step.note);
  }
  if (!step.stacks.empty()) {
    object.add("stacks", step.stacks);
  }
  return object.add("skipped", to_json(step.skipped, axis));
}

}  // namespace

std::string bisection_to_json(const Bisection& bisection) {
  const bool per_iteration = is_per_iteration(bisection);
  JsonValue document = JsonValue::object();
  document.add("schema", k_bisection_schema);
  document.add("workload", bisection.workload);
  document.add("measure", bisection.measure);
  document.add("unit", bisection.unit);
  document.add("of", per_iteration ? "iteration" : "run");
  document.add("iterations", bisection.good_value.iterations);
  document.add("axis", bisection.axis == BisectionAxis::commits ? "commits" : "toolchain");
  document.add("good", to_json(bisection.good, bisection.axis));
  document.add("bad", to_json(bisection.bad, bisection.axis));
  JsonValue whole = JsonValue::object();
  add_values(whole, bisection.good_value, bisection.bad_value, per_iteration);
  document.add("between_ends", std::move(whole));
  document.add("points", bisection.points);
  document.add("first_only", bisection.first_only);
  JsonValue steps = JsonValue::array();
  for (const BisectionStep& step : bisection.steps) {
    steps.push(to_json(step, bisection.axis, per_iteration));
  }
  document.add("steps", std::move(steps));
  document.add("skipped", to_json(bisection.skipped, bisection.axis));
  document.add("measured", bisection.measured);
  document.add("remembered", bisection.remembered);
  document.add("builds", bisection.builds);
  document.add("notes", JsonValue::array_of(bisection.notes));
  return to_json_text(document);
}

}  // namespace allocgate
