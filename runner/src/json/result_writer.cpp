// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/documents.hpp"
#include "json/parts.hpp"
#include "model/slope.hpp"

#include <utility>

namespace allocgate {

namespace {

JsonValue to_json(const Series& series) {
  JsonValue object = JsonValue::object();
  object.add("unit", series.unit);
  object.add("better", name_of(series.better));
  object.add("class", name_of(series.series_class));
  object.add("samples", to_json(series.samples));
  object.add("min", series.min);
  object.add("median", series.median);
  object.add("max", series.max);
  if (series.p90) {
    object.add("p90", *series.p90);
  }
  if (series.repeat_spread) {
    object.add("repeat_spread", *series.repeat_spread);
  }
  if (series.linear) {
    object.add("linear", *series.linear);
  }
  if (series.slope) {
    object.add("per_iteration", to_number(*series.slope));
    object.add("slope", to_json(*series.slope));
  }
  if (series.setup) {
    object.add("setup", *series.setup);
  }
  if (series.growth) {
    object.add("growth", *series.growth);
  }
  if (series.error_bound) {
    object.add("error_bound", *series.error_bound);
  }
  return object;
}

JsonValue measures_to_json(const std::map<std::string, Series>& measures) {
  std::vector<std::string> names;
  for (const auto& [name, series] : measures) {
    names.push_back(name);
  }
  JsonValue object = JsonValue::object();
  for (const std::string& name : in_display_order(std::move(names))) {
    object.add(name, to_json(measures.at(name)));
  }
  return object;
}

JsonValue to_json(const SizeClasses& classes) {
  JsonValue object = JsonValue::object();
  for (std::size_t position = 0; position < k_size_classes; ++position) {
    const std::size_t slot = size_class_at(position);
    if (classes[slot] != 0) {
      object.add(size_class_label(slot), classes[slot]);
    }
  }
  return object;
}

JsonValue to_json(const ProcessResult& process) {
  JsonValue object = JsonValue::object();
  object.add("pid", process.pid);
  object.add("parent_pid", process.parent_pid);
  object.add("executable", process.executable);
  if (process.end) {
    object.add("end", name_of(*process.end));
  }
  if (process.exit_code) {
    object.add("exit_code", *process.exit_code);
  }
  JsonValue measures = JsonValue::object();
  for (const auto& [name, value] : process.measures) {
    measures.add(name, value);
  }
  object.add("measures", std::move(measures));
  return object;
}

JsonValue to_json(const WorkloadResult& workload) {
  JsonValue object = JsonValue::object();
  object.add("name", workload.name);
  object.add("suite", workload.suite);
  object.add("command", JsonValue::array_of(workload.command));
  object.add("iterations", workload.iterations);
  if (workload.gate) {
    object.add("gate", name_of(*workload.gate));
  }
  if (!workload.depends_on.empty()) {
    object.add("depends_on", JsonValue::array_of(workload.depends_on));
  }
  if (!workload.does_not_depend_on.empty()) {
    object.add("does_not_depend_on", JsonValue::array_of(workload.does_not_depend_on));
  }
  if (!workload.layers.empty()) {
    object.add("layers", to_json(workload.layers));
  }
  if (!workload.notes.empty()) {
    object.add("notes", JsonValue::array_of(workload.notes));
  }
  object.add("status", name_of(workload.status));
  if (!workload.error.empty()) {
    object.add("error", workload.error);
  }
  object.add("measures", measures_to_json(workload.measures));
  object.add("size_classes", to_json(workload.size_classes));
  JsonValue processes = JsonValue::array();
  for (const ProcessResult& process : workload.processes) {
    processes.push(to_json(process));
  }
  object.add("processes", std::move(processes));
  return object;
}

}  // namespace

JsonValue to_json(const Result& result) {
  JsonValue document = JsonValue::object();
  document.add("schema", k_result_schema);
  document.add("allocgate", result.allocgate_version);
  document.add("testbed", to_json(result.testbed));
  if (result.source) {
    document.add("source", JsonValue::object()
                               .add("commit", result.source->commit)
                               .add("branch", result.source->branch)
                               .add("dirty", result.source->dirty));
  }
  document.add("started_at", result.started_at);
  document.add("duration_ns", result.duration_ns);

  JsonValue workloads = JsonValue::array();
  for (const WorkloadResult* workload : sorted_workloads(result)) {
    workloads.push(to_json(*workload));
  }
  document.add("workloads", std::move(workloads));
  return document;
}

std::string result_to_json(const Result& result) {
  return to_json_text(to_json(result));
}

}  // namespace allocgate
