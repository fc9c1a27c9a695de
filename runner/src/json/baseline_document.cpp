// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/documents.hpp"
#include "json/parts.hpp"
#include "model/slope.hpp"

namespace allocgate {

namespace {

JsonValue to_json(const BaselineMeasure& measure) {
  JsonValue object = JsonValue::object();
  object.add("value", measure.value);
  object.add("class", name_of(measure.series_class));
  if (!measure.samples.empty()) {
    object.add("samples", to_json(measure.samples));
  }
  if (measure.slope) {
    object.add("per_iteration", to_number(*measure.slope));
    object.add("slope", to_json(*measure.slope));
  }
  if (measure.threshold) {
    add_threshold(object, *measure.threshold);
  }
  if (measure.leak_accepted) {
    object.add("leak_accepted", true);
  }
  return object;
}

JsonValue to_json(const BaselineWorkload& workload) {
  JsonValue object = JsonValue::object();
  object.add("iterations", workload.iterations);
  if (workload.gate) {
    object.add("gate", name_of(*workload.gate));
  }
  if (!workload.depends_on.empty()) {
    object.add("depends_on", JsonValue::array_of(workload.depends_on));
  }
  object.add("updated_at", workload.updated_at);
  object.add("commit", workload.commit);
  object.add("reason", workload.reason);
  if (!workload.stacks.empty()) {
    object.add("stacks", workload.stacks);
  }
  JsonValue measures = JsonValue::object();
  for (const auto& [name, measure] : workload.measures) {
    measures.add(name, to_json(measure));
  }
  object.add("measures", std::move(measures));
  return object;
}

BaselineMeasure measure_from(const JsonCursor& cursor, const std::string& name) {
  std::vector<std::string_view> names = {"value", "class", "samples", "per_iteration", "slope", "leak_accepted"};
  const std::vector<std::string_view> thresholds = threshold_names();
  names.insert(names.end(), thresholds.begin(), thresholds.end());
  cursor.allow_only(names);
  BaselineMeasure measure;
  measure.value = value_from(cursor.at("value"), name);
  measure.series_class = cursor.at("class").named<SeriesClass>();
  if (const auto samples = cursor.find("samples")) {
    measure.samples = samples_from(*samples, name);
  }
  if (const auto number = cursor.find("per_iteration")) {
    (void)number->number();  // for people; the slope is what counts
  }
  if (const auto slope = cursor.find("slope")) {
    measure.slope = slope_from(*slope);
  }
  measure.threshold = threshold_in(cursor);
  if (const auto accepted = cursor.find("leak_accepted")) {
    measure.leak_accepted = accepted->truth();
  }
  return measure;
}

BaselineWorkload workload_from(const JsonCursor& cursor) {
  cursor.allow_only({"iterations", "gate", "depends_on", "updated_at", "commit", "reason", "stacks", "measures"});
  BaselineWorkload workload;
  workload.iterations = cursor.at("iterations").positive();
  if (const auto gate = cursor.find("gate")) {
    workload.gate = gate->named<Gate>();
  }
  if (const auto fields = cursor.find("depends_on")) {
    workload.depends_on = fields->texts();
  }
  workload.updated_at = cursor.at("updated_at").text();
  workload.commit = cursor.at("commit").text();
  workload.reason = cursor.at("reason").text();
  if (const auto stacks = cursor.find("stacks")) {
    workload.stacks = stacks->name();
    if (workload.stacks.find_first_not_of("0123456789abcdef") != std::string::npos) {
      stacks->refuse("it is no name of a file with call stacks, which is hexadecimal digits");
    }
  }
  for (const auto& [name, measure] : cursor.at("measures").members()) {
    workload.measures.emplace(name, measure_from(measure, name));
  }
  return workload;
}

}  // namespace

std::string baseline_to_json(const Baseline& baseline) {
  JsonValue document = JsonValue::object();
  document.add("schema", k_baseline_schema);
  document.add("suite", baseline.suite);
  document.add("testbed", to_json(baseline.testbed));
  JsonValue workloads = JsonValue::object();
  for (const auto& [name, workload] : baseline.workloads) {
    workloads.add(name, to_json(workload));
  }
  document.add("workloads", std::move(workloads));
  return to_json_text(document);
}

Baseline baseline_from_json(std::string_view text, const std::filesystem::path& named) {
  const LocatedDocument document(
      text, named,
      "correct it, restore it from version control, or remove it and make it with `allocgate baseline update`");
  const JsonCursor cursor(document);
  cursor.require_schema(k_baseline_schema);
  cursor.allow_only({"schema", "suite", "testbed", "workloads"});
  Baseline baseline;
  baseline.suite = cursor.at("suite").text();
  baseline.testbed = testbed_from(cursor.at("testbed"));
  for (const auto& [name, workload] : cursor.at("workloads").members()) {
    baseline.workloads.emplace(name, workload_from(workload));
  }
  refuse_lost_last_byte(document, text, baseline_to_json(baseline));
  return baseline;
}

}  // namespace allocgate
