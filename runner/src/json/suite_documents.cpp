// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/suite_documents.hpp"

#include "json/cursor.hpp"
#include "json/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>

namespace allocgate {

namespace {

constexpr std::string_view k_listing_schema = "allocgate.suite/1";
constexpr std::string_view k_report_schema = "allocgate.suite-report/1";

// The numbers that google-benchmark itself writes for a run; every other number is a counter of the program.
constexpr auto k_google_benchmark_numbers = std::to_array<std::string_view>(
    {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations",
     "real_time", "cpu_time", "cpu_coefficient", "real_coefficient", "rms"});

unsigned threads_from(const JsonCursor& cursor) {
  const std::uint64_t threads = cursor.positive();
  if (threads > std::numeric_limits<unsigned>::max()) {
    cursor.refuse(fmt::format("{} is not a number of threads", threads));
  }
  return static_cast<unsigned>(threads);
}

std::string text_or_empty(const JsonCursor& object, std::string_view name) {
  const auto found = object.find(name);
  return found ? found->text() : std::string();
}

SuiteWorkload suite_workload_from(const JsonCursor& cursor) {
  SuiteWorkload workload;
  workload.name = cursor.at("name").name();
  workload.core = text_or_empty(cursor, "core");
  workload.core_version = text_or_empty(cursor, "core_version");
  workload.exercises = text_or_empty(cursor, "exercises");
  if (const auto iterations = cursor.find("iterations")) {
    workload.iterations = iterations->natural();
  }
  if (const auto threads = cursor.find("threads")) {
    workload.threads = threads_from(*threads);
  }
  if (const auto gate = cursor.find("gate"); gate && !gate->text().empty()) {
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
  return workload;
}

SuiteWindow suite_window_from(const JsonCursor& cursor) {
  SuiteWindow window;
  window.iterations = cursor.at("iterations").natural();
  window.error = text_or_empty(cursor, "error");
  if (const auto counters = cursor.find("counters")) {
    for (const auto& [name, value] : counters->members()) {
      window.counters.emplace(name, value.number());
    }
  }
  if (const auto times = cursor.find("times")) {
    for (const auto& [name, value] : times->members()) {
      window.times.emplace(name, static_cast<Count>(value.natural()));
    }
  }
  return window;
}

GoogleBenchmarkRun google_benchmark_run_from(const JsonCursor& cursor) {
  GoogleBenchmarkRun run;
  run.name = cursor.at("name").name();
  run.aggregate = text_or_empty(cursor, "run_type") == "aggregate";
  run.error = text_or_empty(cursor, "error_message");
  if (const auto iterations = cursor.find("iterations"); iterations && !run.aggregate) {
    run.iterations = iterations->natural();
  }
  for (const auto& [name, value] : cursor.members()) {
    const bool own = std::find(k_google_benchmark_numbers.begin(), k_google_benchmark_numbers.end(), name) !=
                     k_google_benchmark_numbers.end();
    if (!own && value.is_number()) {
      run.counters.emplace(name, value.number());
    }
  }
  return run;
}

}  // namespace

std::vector<SuiteWorkload> suite_listing_from_json(std::string_view text, const std::filesystem::path& named) {
  const LocatedDocument document(text, named, "the suite program wrote this: build it with this version of allocgate");
  const JsonCursor cursor(document);
  cursor.require_schema(k_listing_schema);
  std::vector<SuiteWorkload> workloads;
  std::set<std::string> names;
  for (const JsonCursor& element : cursor.at("workloads").elements()) {
    workloads.push_back(suite_workload_from(element));
    if (!names.insert(workloads.back().name).second) {
      element.at("name").refuse(fmt::format("the workload {} is there twice", workloads.back().name));
    }
  }
  return workloads;
}

std::vector<SuiteWindow> suite_report_from_json(std::string_view text, const std::filesystem::path& named) {
  const LocatedDocument document(text, named, "the suite program wrote this: build it with this version of allocgate");
  const JsonCursor cursor(document);
  cursor.require_schema(k_report_schema);
  std::vector<SuiteWindow> windows;
  for (const JsonCursor& element : cursor.at("windows").elements()) {
    windows.push_back(suite_window_from(element));
  }
  return windows;
}

std::vector<GoogleBenchmarkRun> google_benchmark_from_json(std::string_view text, const std::filesystem::path& named) {
  const LocatedDocument document(text, named, "run the google-benchmark program again, to a new file");
  const JsonCursor cursor(document);
  std::vector<GoogleBenchmarkRun> runs;
  for (const JsonCursor& element : cursor.at("benchmarks").elements()) {
    runs.push_back(google_benchmark_run_from(element));
  }
  return runs;
}

}  // namespace allocgate
