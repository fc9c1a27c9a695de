// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/suite_documents.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using testing::HasSubstr;

template <typename Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unreadable_input);
    return error.what();
  }
  return {};
}

TEST(SuiteListing, NeedsTheNameOnly) {
  const auto workloads = suite_listing_from_json(
      R"({"schema": "allocgate.suite/1", "workloads": [
        {"name": "noop"},
        {"name": "asio/ping", "core": "asio", "core_version": "1.22.1", "exercises": "a loop", "iterations": 10,
         "threads": 2, "gate": "exact", "depends_on": ["compiler"],
         "does_not_depend_on": ["size"], "later": 1,
         "layers": [{"layer": "codec", "workload": "http/parse", "times": 2},
                    {"layer": "core", "workload": "asio/ping"}]}]})",
      "list.json");
  ASSERT_EQ(workloads.size(), 2u);
  EXPECT_EQ(workloads[0].name, "noop");
  EXPECT_EQ(workloads[0].iterations, 0u);
  EXPECT_EQ(workloads[0].threads, 1u);
  EXPECT_FALSE(workloads[0].gate);
  EXPECT_EQ(workloads[1].core, "asio");
  EXPECT_EQ(workloads[1].gate, Gate::exact);
  EXPECT_EQ(workloads[1].depends_on, std::vector<std::string>{"compiler"});
  EXPECT_EQ(workloads[1].does_not_depend_on, std::vector<std::string>{"size"});
  EXPECT_EQ(workloads[1].layers, (std::vector<WorkloadLayer>{{"codec", "http/parse", 2}, {"core", "asio/ping", 1}}));
}

TEST(SuiteListing, RefusesWhatItCannotTrust) {
  const auto read = [](const char* text) {
    return refusal([text] { (void)suite_listing_from_json(text, "list.json"); });
  };
  EXPECT_THAT(read(R"({"schema": "allocgate.suite/1", "workloads": [{"name": "a"}, {"name": "a"}]})"),
              HasSubstr("list.json: line 1, column 71 (/workloads/1/name): the workload a is there twice"));
  EXPECT_THAT(read(R"({"schema": "allocgate.suite/1", "workloads": [{"name": "a", "gate": "strict"}]})"),
              HasSubstr("none of: exact, percent, min, none"));
  EXPECT_THAT(read(R"({"schema": "allocgate.suite/1", "workloads": [{"name": "a", "threads": 0}]})"),
              HasSubstr("at least 1"));
  EXPECT_THAT(read(R"({"schema": "allocgate.suite/2", "workloads": []})"), HasSubstr("version \"2\""));
}

TEST(SuiteReport, KeepsTheOrderOfWindows) {
  const auto windows = suite_report_from_json(
      R"({"schema": "allocgate.suite-report/1", "windows": [
        {"iterations": 1, "error": "", "counters": {}},
        {"iterations": 2, "error": "no port", "counters": {"requests": 1000, "ratio": 0.5}}]})",
      "report.json");
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[0].iterations, 1u);
  EXPECT_EQ(windows[1].error, "no port");
  EXPECT_EQ(windows[1].counters.at("requests"), 1000.0);
  EXPECT_EQ(windows[1].counters.at("ratio"), 0.5);
}

TEST(GoogleBenchmark, GivesTheProgramsOwnCounters) {
  const auto runs = google_benchmark_from_json(
      R"({"context": {"library_build_type": "release"}, "benchmarks": [
        {"name": "BM_x", "run_name": "BM_x", "run_type": "iteration", "repetitions": 1, "repetition_index": 0,
         "threads": 1, "iterations": 100, "real_time": 1.5e+02, "cpu_time": 1.4e+02, "time_unit": "ns",
         "requests": 1.0e+03},
        {"name": "BM_x_mean", "run_type": "aggregate", "iterations": 3, "requests": 9},
        {"name": "BM_bad", "run_type": "iteration", "error_occurred": true, "error_message": "no port"}]})",
      "out.json");
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0].iterations, 100u);
  EXPECT_EQ(runs[0].counters, (std::map<std::string, double>{{"requests", 1000.0}}));
  EXPECT_FALSE(runs[0].aggregate);
  EXPECT_TRUE(runs[1].aggregate);
  EXPECT_EQ(runs[2].error, "no port");
}

TEST(GoogleBenchmark, RefusesBareNanWithThePlaceAndTheCounter) {
  const auto read = [](const std::string& number) {
    const std::string text = "{\"benchmarks\": [\n  {\"name\": \"BM_x\", \"ratio\": " + number + "}]}";
    return refusal([&text] { (void)google_benchmark_from_json(text, "out.json"); });
  };
  for (const char* number : {"NaN", "-NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"}) {
    EXPECT_THAT(read(number), HasSubstr(std::string("out.json: line 2, column 29 (/benchmarks/0/ratio): ") + number +
                                        " is not a number of JSON; google-benchmark writes it"));
  }
  EXPECT_EQ(read("1.5"), "");
}

TEST(SuiteReport, MayHaveTheTimesOfALoop) {
  const auto windows = suite_report_from_json(
      R"({"schema": "allocgate.suite-report/1", "windows": [{"iterations": 1, "counters": {}},
        {"iterations": 1, "times": {"wall_time_ns": 12, "cpu_time_ns": 11}, "counters": {}}]})",
      "report.json");
  ASSERT_EQ(windows.size(), 2U);
  EXPECT_TRUE(windows[0].times.empty());
  EXPECT_EQ(windows[1].times, (std::map<std::string, Count>{{"cpu_time_ns", 11}, {"wall_time_ns", 12}}));
}

}  // namespace
}  // namespace allocgate
