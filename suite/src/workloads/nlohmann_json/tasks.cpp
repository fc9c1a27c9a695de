// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// nlohmann_json/100_tasks_100_times: a list of 100 tasks with three fields each is parsed and written again, 100 times.
// A task is a map with a node and a name for each field, and its title is a string behind a pointer. /parse: parsed
// only.
//
// nlohmann_json/decode_1000_tasks: one object is decoded into a model of three fields, 1000 times: the DOM and the
// string of the model.
//
// counts per iteration of nlohmann_json/100_tasks_100_times: 63 400 allocations, 6 262 400 bytes (nlohmann_json 3.11.2)
// counts per iteration of nlohmann_json/100_tasks_100_times/parse: 62 300 allocations, 4 495 500 bytes
// (nlohmann_json 3.11.2)
// counts per iteration of nlohmann_json/decode_1000_tasks: 19 000 allocations, 679 000 bytes (nlohmann_json 3.11.2)

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace {

using namespace allocgate::suite;
using nlohmann::json;

constexpr int k_tasks = 100;
constexpr int k_times = 100;
constexpr int k_decoded = 1000;
constexpr int k_id = 7;
constexpr char k_task[] = R"({"id":7,"title":"a task with a title that is not short","done":true})";

std::string list_of_tasks() {
  std::string text = "[";
  for (int task = 0; task < k_tasks; ++task) {
    text += task == 0 ? "" : ",";
    text += static_cast<const char*>(k_task);
  }
  return text + "]";
}

struct Task {
  int id = 0;
  std::string title;
  bool done = false;
};

const char* parse_and_write(const std::string& text) {
  for (int time = 0; time < k_times; ++time) {
    const json tasks = json::parse(text);
    // Members come back in the order of their names, so that the length is what can be compared.
    if (tasks.size() != k_tasks || tasks.dump().size() != text.size()) {
      return "the list was not written as it was read";
    }
  }
  return nullptr;
}

const char* parse(const std::string& text) {
  for (int time = 0; time < k_times; ++time) {
    if (json::parse(text).size() != k_tasks) {
      return "tasks are missing";
    }
  }
  return nullptr;
}

const char* decode() {
  for (int time = 0; time < k_decoded; ++time) {
    const json object = json::parse(static_cast<const char*>(k_task));
    Task task;
    object.at("id").get_to(task.id);
    object.at("title").get_to(task.title);
    object.at("done").get_to(task.done);
    if (task.id != k_id || task.title.empty() || !task.done) {
      return "a task was not decoded";
    }
  }
  return nullptr;
}

allocgate::WorkloadDescription nlohmann_json_row(std::string exercises) {
  const std::string version = std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
                              std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
                              std::to_string(NLOHMANN_JSON_VERSION_PATCH);
  return exact("nlohmann_json", version, std::move(exercises));
}

void round_trip(benchmark::State& state) {
  const std::string text = list_of_tasks();
  measure(state, [&] { return parse_and_write(text); });
}

void parse_only(benchmark::State& state) {
  const std::string text = list_of_tasks();
  measure(state, [&] { return parse(text); });
}

void decode_tasks(benchmark::State& state) {
  measure(state, decode);
}

ALLOCGATE_WORKLOAD(round_trip, "nlohmann_json/100_tasks_100_times",
                   (nlohmann_json_row("JSON: a list of 100 tasks parsed and written")));
ALLOCGATE_WORKLOAD(parse_only, "nlohmann_json/100_tasks_100_times/parse",
                   (nlohmann_json_row("the same, parsed only: what writing adds")));
ALLOCGATE_WORKLOAD(decode_tasks, "nlohmann_json/decode_1000_tasks",
                   (nlohmann_json_row("decoding into a model of three fields, by way of a DOM")));

}  // namespace
