// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/documents.hpp"
#include "json/parts.hpp"

#include <fmt/format.h>

#include <limits>
#include <set>
#include <utility>

namespace allocgate {

namespace {

Series series_from(const JsonCursor& cursor, const std::string& measure) {
  Series series;
  series.unit = cursor.at("unit").text();
  series.better = cursor.at("better").named<Better>();
  series.series_class = cursor.at("class").named<SeriesClass>();
  series.samples = samples_from(cursor.at("samples"), measure);
  series.min = value_from(cursor.at("min"), measure);
  series.median = value_from(cursor.at("median"), measure);
  series.max = value_from(cursor.at("max"), measure);
  if (const auto p90 = cursor.find("p90")) {
    series.p90 = value_from(*p90, measure);
  }
  if (const auto spread = cursor.find("repeat_spread")) {
    series.repeat_spread = static_cast<Count>(spread->natural());
  }
  if (const auto linear = cursor.find("linear")) {
    series.linear = linear->truth();
  }
  if (const auto number = cursor.find("per_iteration")) {
    (void)number->number();  // for people; the slope is what counts
  }
  if (const auto slope = cursor.find("slope")) {
    series.slope = slope_from(*slope);
  }
  if (const auto setup = cursor.find("setup")) {
    series.setup = setup->integer();
  }
  if (const auto growth = cursor.find("growth")) {
    series.growth = growth->integer();
  }
  if (const auto bound = cursor.find("error_bound")) {
    series.error_bound = static_cast<Count>(bound->natural());
  }
  return series;
}

SizeClasses size_classes_from(const JsonCursor& cursor) {
  SizeClasses classes{};
  for (const auto& [label, count] : cursor.members()) {
    std::size_t slot = 0;
    while (slot < k_size_classes && size_class_label(slot) != label) {
      ++slot;
    }
    if (slot == k_size_classes) {
      count.refuse(fmt::format("\"{}\" is not a class of sizes (0, 1, 2, 3-4, 5-8, ...)", label));
    }
    classes[slot] = count.natural();
  }
  return classes;
}

int exit_code_from(const JsonCursor& cursor) {
  const std::int64_t code = cursor.integer();
  if (code < std::numeric_limits<int>::min() || code > std::numeric_limits<int>::max()) {
    cursor.refuse(fmt::format("{} is not an exit code", code));
  }
  return static_cast<int>(code);
}

ProcessResult process_from(const JsonCursor& cursor) {
  ProcessResult process;
  process.pid = cursor.at("pid").integer();
  process.parent_pid = cursor.at("parent_pid").integer();
  process.executable = cursor.at("executable").text();
  if (const auto end = cursor.find("end")) {
    process.end = end->named<ProcessEnd>();
  }
  if (const auto code = cursor.find("exit_code")) {
    process.exit_code = exit_code_from(*code);
  }
  for (const auto& [measure, value] : cursor.at("measures").members()) {
    process.measures.emplace(measure, value_from(value, measure));
  }
  return process;
}

WorkloadResult workload_from(const JsonCursor& cursor) {
  WorkloadResult workload;
  workload.name = cursor.at("name").name();
  workload.suite = cursor.at("suite").text();
  workload.command = cursor.at("command").texts();
  workload.iterations = cursor.at("iterations").positive();
  if (const auto gate = cursor.find("gate")) {
    workload.gate = gate->named<Gate>();
  }
  if (const auto fields = cursor.find("depends_on")) {
    workload.depends_on = fields->texts();
  }
  if (const auto arguments = cursor.find("does_not_depend_on")) {
    workload.does_not_depend_on = arguments->texts();
  }
  if (const auto layers = cursor.find("layers")) {
    workload.layers = layers_from(*layers);
  }
  if (const auto notes = cursor.find("notes")) {
    workload.notes = notes->texts();
  }
  workload.status = cursor.at("status").named<WorkloadStatus>();
  if (const auto error = cursor.find("error")) {
    workload.error = error->text();
  }
  for (const auto& [measure, series] : cursor.at("measures").members()) {
    workload.measures.emplace(measure, series_from(series, measure));
  }
  workload.size_classes = size_classes_from(cursor.at("size_classes"));
  for (const JsonCursor& process : cursor.at("processes").elements()) {
    workload.processes.push_back(process_from(process));
  }
  return workload;
}

}  // namespace

Result result_from(const JsonCursor& cursor) {
  cursor.require_schema(k_result_schema);
  Result result;
  result.allocgate_version = cursor.at("allocgate").text();
  result.testbed = testbed_from(cursor.at("testbed"));
  if (const auto source = cursor.find("source")) {
    result.source = Source{source->at("commit").text(), source->at("branch").text(), source->at("dirty").truth()};
  }
  result.started_at = cursor.at("started_at").text();
  result.duration_ns = static_cast<std::int64_t>(cursor.at("duration_ns").natural());
  std::set<std::pair<std::string, std::string>> names;
  for (const JsonCursor& element : cursor.at("workloads").elements()) {
    WorkloadResult workload = workload_from(element);
    if (!names.emplace(workload.suite, workload.name).second) {
      element.at("name").refuse(fmt::format("{} of suite {} is there twice", workload.name, workload.suite));
    }
    result.workloads.push_back(std::move(workload));
  }
  return result;
}

Result result_from_json(std::string_view text, const std::filesystem::path& named) {
  const LocatedDocument document(text, named, "measure again with `allocgate run`, or restore the file");
  Result result = result_from(JsonCursor(document));
  refuse_lost_last_byte(document, text, result_to_json(result));
  return result;
}

}  // namespace allocgate
