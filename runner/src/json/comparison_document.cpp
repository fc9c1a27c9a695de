// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/documents.hpp"
#include "json/parts.hpp"
#include "model/slope.hpp"

namespace allocgate {

namespace {

JsonValue to_json(const ComparisonCell& cell, const std::string& label) {
  JsonValue object = JsonValue::object();
  object.add("label", label);
  object.add("value", cell.value);
  object.add("iterations", cell.iterations);
  object.add("class", name_of(cell.series_class));
  if (cell.slope) {
    object.add("per_iteration", to_number(*cell.slope));
    object.add("slope", to_json(*cell.slope));
  }
  return object;
}

JsonValue to_json(const ComparisonRow& row, const std::vector<std::string>& labels) {
  JsonValue object = JsonValue::object();
  object.add("workload", row.workload);
  object.add("measure", row.measure);
  object.add("unit", row.unit);
  object.add("same", row.same);
  JsonValue cells = JsonValue::array();
  for (std::size_t index = 0; index < row.cells.size(); ++index) {
    if (row.cells[index]) {
      cells.push(to_json(*row.cells[index], labels[index]));
    }
  }
  object.add("values", std::move(cells));
  if (row.difference) {
    object.add("delta", *row.difference);
  }
  if (row.slope_difference) {
    object.add("slope_delta", to_json(*row.slope_difference));
  }
  return object;
}

JsonValue to_json(const FamilySeries& series, const std::string& label) {
  JsonValue object = JsonValue::object();
  object.add("label", label);
  object.add("linear", series.line.has_value());
  if (series.line) {
    object.add("fixed", to_json(series.line->fixed));
    object.add("per_unit", to_json(series.line->per_unit));
  } else {
    object.add("reason", series.reason);
  }
  object.add("of", series.totals ? "total" : "iteration");
  object.add("iterations", series.iterations);
  JsonValue points = JsonValue::array();
  for (const FamilyPoint& point : series.points) {
    points.push(JsonValue::object()
                    .add("workload", point.workload)
                    .add("argument", point.argument)
                    .add("value", to_json(point.value)));
  }
  return object.add("points", std::move(points));
}

JsonValue to_json(const ComparisonFamily& family, const std::vector<std::string>& labels) {
  JsonValue cells = JsonValue::array();
  for (std::size_t index = 0; index < family.cells.size(); ++index) {
    if (family.cells[index]) {
      cells.push(to_json(*family.cells[index], labels[index]));
    }
  }
  return JsonValue::object()
      .add("family", family.family)
      .add("argument", family.argument)
      .add("measure", family.measure)
      .add("same", family.same)
      .add("values", std::move(cells));
}

JsonValue to_json(const std::vector<std::optional<Slope>>& cells, const std::vector<std::string>& labels) {
  JsonValue array = JsonValue::array();
  for (std::size_t index = 0; index < cells.size(); ++index) {
    if (cells[index]) {
      array.push(JsonValue::object().add("label", labels[index]).add("slope", to_json(*cells[index])));
    }
  }
  return array;
}

JsonValue to_json(const ComparisonStack& stack, const std::vector<std::string>& labels) {
  JsonValue layers = JsonValue::array();
  for (const ComparisonLayer& layer : stack.layers) {
    layers.push(to_json(layer.layer).add("values", to_json(layer.cells, labels)));
  }
  return JsonValue::object()
      .add("workload", stack.workload)
      .add("measure", stack.measure)
      .add("values", to_json(stack.cells, labels))
      .add("layers", std::move(layers))
      .add("rest", to_json(stack.rest, labels));
}

}  // namespace

std::string comparison_to_json(const Comparison& comparison) {
  JsonValue document = JsonValue::object();
  document.add("schema", k_comparison_schema);
  document.add("labels", JsonValue::array_of(comparison.labels));
  JsonValue rows = JsonValue::array();
  for (const ComparisonRow& row : comparison.rows) {
    rows.push(to_json(row, comparison.labels));
  }
  document.add("rows", std::move(rows));
  JsonValue families = JsonValue::array();
  for (const ComparisonFamily& family : comparison.families) {
    families.push(to_json(family, comparison.labels));
  }
  document.add("families", std::move(families));
  JsonValue stacks = JsonValue::array();
  for (const ComparisonStack& stack : comparison.stacks) {
    stacks.push(to_json(stack, comparison.labels));
  }
  document.add("stacks", std::move(stacks));
  JsonValue differences = JsonValue::array();
  for (const TestbedDifference& difference : comparison.testbed_differences) {
    differences.push(JsonValue::object()
                         .add("field", difference.field)
                         .add("before", difference.before)
                         .add("after", difference.after));
  }
  document.add("testbed_differences", std::move(differences));
  document.add("notes", JsonValue::array_of(comparison.notes));
  return to_json_text(document);
}

}  // namespace allocgate
