// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// boost_json/100_tasks_100_times: a list of 100 tasks with three fields each is parsed and written again, 100 times. A
// task is five allocations: its object, the three names in it, its title; the text that is written grows eight times a
// list. /parse: parsed only. /monotonic: parsed into memory that grows in blocks and is given
// back at once. /streaming: a handler sees the values go by and keeps nothing: the DOM against a stream.
//
// boost_json/decode_1000_tasks: one object is decoded into a model of three fields, 1000 times: the DOM and the string
// of the model. /streaming: the model is filled as the values go by, so that what is left is its string.
//
// counts per iteration of boost_json/100_tasks_100_times: 50 900 allocations, 3 034 100 bytes (boost 1.81.0)
// counts per iteration of boost_json/100_tasks_100_times/parse: 50 100 allocations, 2 200 800 bytes (boost 1.81.0)
// counts per iteration of boost_json/100_tasks_100_times/monotonic: 500 allocations, 3 190 400 bytes (boost 1.81.0)
// counts per iteration of boost_json/100_tasks_100_times/streaming: 0 allocations, 0 bytes (boost 1.81.0)
// counts per iteration of boost_json/decode_1000_tasks: 6 000 allocations, 234 000 bytes (boost 1.81.0)
// counts per iteration of boost_json/decode_1000_tasks/streaming: 1 000 allocations, 38 000 bytes (boost 1.81.0)

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/package_version.hpp"

#include <allocgate/benchmark.hpp>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/version.hpp>

#include <string>
#include <string_view>

namespace {

using namespace allocgate::suite;
namespace json = boost::json;

constexpr int k_tasks = 100;
constexpr int k_times = 100;
constexpr int k_decoded = 1000;
constexpr std::int64_t k_id = 7;
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
  std::int64_t id = 0;
  std::string title;
  bool done = false;
};

// Sees the values of tasks go by and keeps the last task's.
struct TaskHandler {
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  using Text = json::string_view;
  using Error = json::error_code;

  bool on_document_begin(Error& /*error*/) { return true; }
  bool on_document_end(Error& /*error*/) { return true; }
  bool on_object_begin(Error& /*error*/) { return true; }
  bool on_object_end(std::size_t /*size*/, Error& /*error*/) {
    ++tasks;
    return true;
  }
  bool on_array_begin(Error& /*error*/) { return true; }
  bool on_array_end(std::size_t /*size*/, Error& /*error*/) { return true; }
  bool on_key_part(Text /*text*/, std::size_t /*size*/, Error& /*error*/) { return true; }
  bool on_key(Text /*text*/, std::size_t /*size*/, Error& /*error*/) { return true; }
  bool on_string_part(Text text, std::size_t /*size*/, Error& /*error*/) {
    title_size += text.size();
    if (keeps_title) {
      task.title.append(text.data(), text.size());
    }
    return true;
  }
  bool on_string(Text text, std::size_t size, Error& error) { return on_string_part(text, size, error); }
  bool on_number_part(Text /*text*/, Error& /*error*/) { return true; }
  bool on_int64(std::int64_t value, Text /*text*/, Error& /*error*/) {
    task.id = value;
    return true;
  }
  bool on_uint64(std::uint64_t /*value*/, Text /*text*/, Error& /*error*/) { return true; }
  bool on_double(double /*value*/, Text /*text*/, Error& /*error*/) { return true; }
  bool on_bool(bool value, Error& /*error*/) {
    task.done = value;
    return true;
  }
  bool on_null(Error& /*error*/) { return true; }
  bool on_comment_part(Text /*text*/, Error& /*error*/) { return true; }
  bool on_comment(Text /*text*/, Error& /*error*/) { return true; }

  bool keeps_title = false;
  Task task = {};
  int tasks = 0;
  std::size_t title_size = 0;
};

const char* parse_and_write(const std::string& text) {
  for (int time = 0; time < k_times; ++time) {
    const json::value list = json::parse(text);
    if (list.as_array().size() != k_tasks || json::serialize(list).size() != text.size()) {
      return "tasks are missing";
    }
  }
  return nullptr;
}

const char* parse(const std::string& text) {
  for (int time = 0; time < k_times; ++time) {
    if (json::parse(text).as_array().size() != k_tasks) {
      return "tasks are missing";
    }
  }
  return nullptr;
}

const char* parse_monotonic(const std::string& text) {
  for (int time = 0; time < k_times; ++time) {
    json::monotonic_resource memory;
    if (json::parse(text, &memory).as_array().size() != k_tasks) {
      return "tasks are missing";
    }
  }
  return nullptr;
}

bool stream(json::basic_parser<TaskHandler>& parser, std::string_view text) {
  json::error_code error;
  return parser.write_some(false, text.data(), text.size(), error) == text.size() && !error;
}

const char* parse_streaming(const std::string& text) {
  for (int time = 0; time < k_times; ++time) {
    json::basic_parser<TaskHandler> parser(json::parse_options{});
    if (!stream(parser, text) || parser.handler().tasks != k_tasks || parser.handler().title_size == 0) {
      return "tasks are missing";
    }
  }
  return nullptr;
}

const char* decode() {
  for (int time = 0; time < k_decoded; ++time) {
    const json::value value = json::parse(k_task);
    const Task task{.id = value.at("id").as_int64(),
                    .title = std::string(value.at("title").as_string()),
                    .done = value.at("done").as_bool()};
    if (task.id != k_id || task.title.empty() || !task.done) {
      return "a task was not decoded";
    }
  }
  return nullptr;
}

const char* decode_streaming() {
  for (int time = 0; time < k_decoded; ++time) {
    json::basic_parser<TaskHandler> parser(json::parse_options{});
    parser.handler().keeps_title = true;
    const bool whole = stream(parser, k_task);
    const Task& task = parser.handler().task;
    if (!whole || task.id != k_id || task.title.empty() || !task.done) {
      return "a task was not decoded";
    }
  }
  return nullptr;
}

allocgate::WorkloadDescription boost_json_row(std::string exercises) {
  constexpr int k_major = BOOST_VERSION / 100000;
  constexpr int k_minor = BOOST_VERSION / 100 % 1000;
  constexpr int k_patch = BOOST_VERSION % 100;
  const std::string version = std::to_string(k_major) + "." + std::to_string(k_minor) + "." + std::to_string(k_patch);
  return exact("boost_json", package_version({("libboost-json" + version).c_str()}, version), std::move(exercises));
}

void round_trip(benchmark::State& state) {
  const std::string text = list_of_tasks();
  measure(state, [&] { return parse_and_write(text); });
}

void parse_only(benchmark::State& state) {
  const std::string text = list_of_tasks();
  measure(state, [&] { return parse(text); });
}

void monotonic(benchmark::State& state) {
  const std::string text = list_of_tasks();
  measure(state, [&] { return parse_monotonic(text); });
}

void streaming(benchmark::State& state) {
  const std::string text = list_of_tasks();
  measure(state, [&] { return parse_streaming(text); });
}

void decode_tasks(benchmark::State& state) {
  measure(state, decode);
}

void decode_tasks_streaming(benchmark::State& state) {
  measure(state, decode_streaming);
}

ALLOCGATE_WORKLOAD(round_trip, "boost_json/100_tasks_100_times",
                   (boost_json_row("JSON: a list of 100 tasks parsed and written")));
ALLOCGATE_WORKLOAD(parse_only, "boost_json/100_tasks_100_times/parse",
                   (boost_json_row("the same, parsed only: what writing adds")));
ALLOCGATE_WORKLOAD(monotonic, "boost_json/100_tasks_100_times/monotonic",
                   (boost_json_row("parsed into monotonic memory, against the heap")));
ALLOCGATE_WORKLOAD(streaming, "boost_json/100_tasks_100_times/streaming",
                   (boost_json_row("parsed by a handler that keeps nothing, against a DOM")));
ALLOCGATE_WORKLOAD(decode_tasks, "boost_json/decode_1000_tasks",
                   (boost_json_row("decoding into a model of three fields, by way of a DOM")));
ALLOCGATE_WORKLOAD(decode_tasks_streaming, "boost_json/decode_1000_tasks/streaming",
                   (boost_json_row("the same as values go by, against a DOM")));

}  // namespace
