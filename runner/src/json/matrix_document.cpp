// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/documents.hpp"
#include "json/located.hpp"
#include "json/parts.hpp"
#include "model/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

namespace {

/// The levels of a cell by the names of their axes.
JsonValue to_json(const std::vector<MatrixAxis>& axes, const MatrixPlace& place) {
  JsonValue object = JsonValue::object();
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    object.add(axes[axis].name, axes[axis].levels[place[axis]].name);
  }
  return object;
}

MatrixPlace place_from(const JsonCursor& cursor, const std::vector<MatrixAxis>& axes) {
  MatrixPlace place;
  for (const MatrixAxis& axis : axes) {
    const JsonCursor level = cursor.at(axis.name);
    const std::string name = level.text();
    const auto found = std::find_if(axis.levels.begin(), axis.levels.end(),
                                    [&name](const MatrixLevel& candidate) { return candidate.name == name; });
    if (found == axis.levels.end()) {
      level.refuse(fmt::format("the axis {} has no level '{}'", axis.name, name));
    }
    place.push_back(static_cast<std::size_t>(found - axis.levels.begin()));
  }
  return place;
}

JsonValue to_json(const std::vector<MatrixAxis>& axes) {
  JsonValue array = JsonValue::array();
  for (const MatrixAxis& axis : axes) {
    JsonValue levels = JsonValue::array();
    for (const MatrixLevel& level : axis.levels) {
      levels.push(JsonValue::object().add("name", level.name).add("what", level.what));
    }
    array.push(JsonValue::object().add("name", axis.name).add("levels", std::move(levels)));
  }
  return array;
}

std::vector<MatrixAxis> axes_from(const JsonCursor& cursor) {
  std::vector<MatrixAxis> axes;
  for (const JsonCursor& element : cursor.elements()) {
    MatrixAxis axis{element.at("name").name(), {}};
    for (const JsonCursor& level : element.at("levels").elements()) {
      axis.levels.push_back({level.at("name").name(), level.at("what").text()});
    }
    axes.push_back(std::move(axis));
  }
  if (axes.empty()) {
    cursor.refuse("it has no axis");
  }
  return axes;
}

JsonValue to_json(const Matrix& matrix, const MatrixCell& cell) {
  JsonValue object = JsonValue::object();
  object.add("at", to_json(matrix.axes, cell.place));
  object.add("may_fail", cell.may_fail);
  if (cell.result) {
    object.add("result", to_json(*cell.result));
  } else {
    object.add("reason", cell.reason);
  }
  return object;
}

JsonValue to_json(const Matrix& matrix, const MatrixEntry& entry) {
  JsonValue object = JsonValue::object();
  object.add("at", to_json(matrix.axes, entry.place));
  if (!entry.value) {
    return object.add("reason", entry.reason);
  }
  object.add("value", entry.value->value);
  object.add("iterations", entry.value->iterations);
  object.add("class", name_of(entry.value->series_class));
  if (entry.value->slope && entry.value->setup) {
    object.add("slope", to_json(*entry.value->slope));
    object.add("setup", *entry.value->setup);
  }
  return object;
}

JsonValue to_json(const Matrix& matrix, const MatrixTable& table, const std::vector<std::string>& sentences) {
  JsonValue entries = JsonValue::array();
  for (const MatrixEntry& entry : table.entries) {
    entries.push(to_json(matrix, entry));
  }
  JsonValue effects = JsonValue::array();
  for (const AxisEffect& effect : table.conclusion.effects) {
    const MatrixAxis& axis = matrix.axes[effect.axis];
    effects.push(JsonValue::object()
                     .add("axis", axis.name)
                     .add("from", axis.levels.front().name)
                     .add("to", axis.levels[effect.level].name)
                     .add("delta", effect.change));
  }
  JsonValue exceptions = JsonValue::array();
  for (const MatrixPlace& place : table.conclusion.exceptions) {
    exceptions.push(to_json(matrix.axes, place));
  }
  return JsonValue::object()
      .add("workload", table.workload)
      .add("unit", table.unit)
      .add("values", std::move(entries))
      .add("additive", table.conclusion.additive)
      .add("effects", std::move(effects))
      .add("exceptions", std::move(exceptions))
      .add("conclusion", JsonValue::array_of(sentences));
}

}  // namespace

std::string matrix_to_json(const Matrix& matrix, const std::vector<std::vector<std::string>>& sentences) {
  JsonValue document = JsonValue::object();
  document.add("schema", k_matrix_schema);
  document.add("measure", matrix.measure);
  document.add("axes", to_json(matrix.axes));
  JsonValue tables = JsonValue::array();
  for (std::size_t index = 0; index < matrix.tables.size(); ++index) {
    tables.push(to_json(matrix, matrix.tables[index], sentences[index]));
  }
  document.add("tables", std::move(tables));
  JsonValue cells = JsonValue::array();
  for (const MatrixCell& cell : matrix.cells) {
    cells.push(to_json(matrix, cell));
  }
  document.add("cells", std::move(cells));
  return to_json_text(document);
}

Matrix matrix_from_json(std::string_view text, const std::filesystem::path& named) {
  const LocatedDocument document(text, named, "measure again with `allocgate matrix --format json`");
  const JsonCursor cursor(document);
  cursor.require_schema(k_matrix_schema);
  Matrix matrix;
  matrix.measure = cursor.at("measure").name();
  matrix.axes = axes_from(cursor.at("axes"));
  for (const JsonCursor& element : cursor.at("cells").elements()) {
    MatrixCell cell;
    cell.place = place_from(element.at("at"), matrix.axes);
    cell.may_fail = element.at("may_fail").truth();
    if (const auto result = element.find("result")) {
      cell.result = result_from(*result);
    } else {
      cell.reason = element.at("reason").text();
    }
    matrix.cells.push_back(std::move(cell));
  }
  return matrix;
}

}  // namespace allocgate
