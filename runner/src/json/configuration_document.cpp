// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/documents.hpp"
#include "json/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace allocgate {

namespace {

constexpr double k_milliseconds = 1000;
constexpr double k_most_seconds = 1e6;
// Windows are three times this at most, and sums of bytes must stay far from 2^63.
constexpr std::uint64_t k_most_iterations = 1'000'000'000;

// A file name of baselines: no folder, nothing hidden.
std::string suite_name_from(const JsonCursor& cursor) {
  std::string name = cursor.name();
  if (name.find('/') != std::string::npos || name.front() == '.') {
    cursor.refuse(fmt::format("\"{}\" cannot name a file of baselines: no slash, and no dot at its beginning", name));
  }
  return name;
}

std::vector<std::string> command_from(const JsonCursor& cursor) {
  if (cursor.is_text()) {
    return {"sh", "-c", cursor.name()};
  }
  std::vector<std::string> words = cursor.texts();
  if (words.empty() || words.front().empty()) {
    cursor.refuse("the program is missing");
  }
  return words;
}

std::int64_t milliseconds_from(const JsonCursor& cursor) {
  const double seconds = cursor.number();
  const double milliseconds = std::round(seconds * k_milliseconds);
  if (!(milliseconds >= 1 && seconds <= k_most_seconds)) {
    cursor.refuse(fmt::format("a timeout is a number of seconds above 0 and up to {}", k_most_seconds));
  }
  return static_cast<std::int64_t>(milliseconds);
}

template <typename Part>
void read_gate_and_depends_on(const JsonCursor& cursor, Part& part) {
  if (const auto gate = cursor.find("gate")) {
    part.gate = gate->named<Gate>();
  }
  if (const auto fields = cursor.find("depends_on")) {
    part.depends_on = fields->texts();
  }
}

ConfiguredWorkload workload_from(const JsonCursor& cursor) {
  cursor.allow_only({"name", "command", "iterations", "gate", "depends_on", "timeout", "exercises"});
  ConfiguredWorkload workload;
  workload.name = cursor.at("name").name();
  workload.command = command_from(cursor.at("command"));
  if (const auto iterations = cursor.find("iterations")) {
    workload.iterations = iterations->positive();
    if (workload.iterations > k_most_iterations) {
      iterations->refuse(fmt::format("at most {} iterations can be measured", k_most_iterations));
    }
  }
  read_gate_and_depends_on(cursor, workload);
  if (const auto timeout = cursor.find("timeout")) {
    workload.timeout_ms = milliseconds_from(*timeout);
  }
  if (const auto exercises = cursor.find("exercises")) {
    workload.exercises = exercises->text();
  }
  return workload;
}

WorkloadOverride override_from(const JsonCursor& cursor) {
  cursor.allow_only({"workload", "gate", "depends_on"});
  WorkloadOverride made;
  made.workload = cursor.at("workload").name();
  read_gate_and_depends_on(cursor, made);
  return made;
}

ThresholdRule threshold_from(const JsonCursor& cursor) {
  std::vector<std::string_view> names = threshold_names();
  names.insert(names.end(), {"workload", "measure"});
  cursor.allow_only(names);
  ThresholdRule rule;
  rule.source = ThresholdSource::configuration;
  if (const auto workload = cursor.find("workload")) {
    rule.workload = workload->name();
  }
  if (const auto measure = cursor.find("measure")) {
    rule.measure = measure->name();
  }
  const auto threshold = threshold_in(cursor);
  if (!threshold) {
    cursor.refuse(fmt::format("it does not say what is allowed: one of {}", fmt::join(threshold_names(), ", ")));
  }
  rule.threshold = *threshold;
  return rule;
}

template <typename Part>
std::vector<Part> list_in(const JsonCursor& cursor, std::string_view name, Part (*read)(const JsonCursor&)) {
  std::vector<Part> parts;
  if (const auto list = cursor.find(name)) {
    for (const JsonCursor& element : list->elements()) {
      parts.push_back(read(element));
    }
  }
  return parts;
}

/// Results and baselines know workloads and suites by name alone.
void refuse_names_twice(const JsonCursor& cursor, const Configuration& configuration) {
  std::set<std::string> names;
  for (const ConfiguredWorkload& workload : configuration.workloads) {
    if (!names.insert(workload.name).second) {
      cursor.at("workloads").refuse(fmt::format("the workload {} is there twice", workload.name));
    }
  }
  std::set<std::string> suites;
  if (!configuration.workloads.empty()) {
    suites.insert(configuration.name);
  }
  for (const std::string& suite : configuration.suites) {
    const std::string name = std::filesystem::path(suite).filename().string();
    if (!suites.insert(name).second) {
      cursor.at("suites").refuse(
          fmt::format("two suites have the name {}, under which their baselines are kept; rename one{}", name,
                      name == configuration.name ? ", or set another \"name\" for the configured commands" : ""));
    }
  }
}

JsonValue to_json(const ConfiguredWorkload& workload) {
  JsonValue object = JsonValue::object();
  object.add("name", workload.name).add("command", JsonValue::array_of(workload.command));
  object.add("iterations", workload.iterations);
  if (workload.gate) {
    object.add("gate", name_of(*workload.gate));
  }
  if (!workload.depends_on.empty()) {
    object.add("depends_on", JsonValue::array_of(workload.depends_on));
  }
  if (workload.timeout_ms) {
    object.add("timeout", static_cast<double>(*workload.timeout_ms) / k_milliseconds);
  }
  if (!workload.exercises.empty()) {
    object.add("exercises", workload.exercises);
  }
  return object;
}

JsonValue to_json(const WorkloadOverride& given) {
  JsonValue object = JsonValue::object().add("workload", given.workload);
  if (given.gate) {
    object.add("gate", name_of(*given.gate));
  }
  if (!given.depends_on.empty()) {
    object.add("depends_on", JsonValue::array_of(given.depends_on));
  }
  return object;
}

template <typename Part>
void add_list(JsonValue& object, std::string name, const std::vector<Part>& parts) {
  if (parts.empty()) {
    return;
  }
  JsonValue array = JsonValue::array();
  for (const Part& part : parts) {
    array.push(to_json(part));
  }
  object.add(std::move(name), std::move(array));
}

}  // namespace

std::string configuration_to_json(const Configuration& configuration) {
  JsonValue document = JsonValue::object();
  document.add("schema", k_configuration_schema);
  if (configuration.name != k_default_command_suite) {
    document.add("name", configuration.name);
  }
  if (configuration.build) {
    document.add("build", *configuration.build);
  }
  if (configuration.baselines) {
    document.add("baselines", *configuration.baselines);
  }
  if (!configuration.suites.empty()) {
    document.add("suites", JsonValue::array_of(configuration.suites));
  }
  add_list(document, "workloads", configuration.workloads);
  add_list(document, "overrides", configuration.overrides);
  add_list(document, "thresholds", configuration.thresholds);
  add_list(document, "waivers", configuration.waivers);
  return to_json_text(document);
}

Configuration configuration_from_json(std::string_view text, const std::filesystem::path& named) {
  const LocatedDocument document(text, named,
                                 "correct it; the schema is configuration.schema.json, and `allocgate init` writes a "
                                 "new one");
  const JsonCursor cursor(document);
  cursor.require_schema(k_configuration_schema);
  cursor.allow_only(
      {"$schema", "schema", "name", "build", "baselines", "suites", "workloads", "overrides", "thresholds", "waivers"});
  Configuration configuration;
  if (const auto name = cursor.find("name")) {
    configuration.name = suite_name_from(*name);
  }
  if (const auto build = cursor.find("build")) {
    configuration.build = build->name();
  }
  if (const auto folder = cursor.find("baselines")) {
    configuration.baselines = folder->name();
  }
  configuration.suites = list_in<std::string>(cursor, "suites", [](const JsonCursor& suite) { return suite.name(); });
  configuration.workloads = list_in(cursor, "workloads", workload_from);
  configuration.overrides = list_in(cursor, "overrides", override_from);
  configuration.thresholds = list_in(cursor, "thresholds", threshold_from);
  configuration.waivers = list_in(cursor, "waivers", waiver_from);
  refuse_names_twice(cursor, configuration);
  return configuration;
}

}  // namespace allocgate
