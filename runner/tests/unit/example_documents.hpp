// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/baseline.hpp"
#include "model/comparison.hpp"
#include "model/result.hpp"
#include "model/verdict.hpp"

#include <string>
#include <utility>

// Small values of our documents, for tests: whole ones with every field set, and single workloads to vary.
namespace allocgate {

inline Testbed example_testbed() {
  return {"debian12-x86_64-glibc2.36-gcc12.2",
          {{"os", "debian12"},
           {"arch", "x86_64"},
           {"libc", "glibc 2.36"},
           {"stdlib", "libstdc++ 12"},
           {"compiler", "gcc 12.2"},
           {"kernel", "6.1"},
           {"core.asio", "1.22.1"}}};
}

/// An exact series of `value` in every one of three processes, without a slope.
inline Series exact_series(Count value) {
  Series series;
  series.unit = "count";
  series.samples = {{value, 3}};
  series.min = series.median = series.max = value;
  return series;
}

/// value = slope x iterations + setup.
inline Series linear_series(Count slope, Count setup, std::uint64_t iterations) {
  Series series = exact_series(slope * static_cast<Count>(iterations) + setup);
  series.linear = true;
  series.slope = Slope{slope, 1};
  series.setup = setup;
  return series;
}

/// Three processes that did not agree; the class is the caller's.
inline Series spread_series(SeriesClass series_class, Count low, Count middle, Count high) {
  Series series;
  series.unit = "count";
  series.series_class = series_class;
  series.samples = {{low, 1}, {middle, 1}, {high, 1}};
  series.min = low;
  series.median = middle;
  series.max = high;
  return series;
}

inline WorkloadResult example_workload(std::string name, std::map<std::string, Series> measures) {
  WorkloadResult workload;
  workload.name = std::move(name);
  workload.suite = "suite";
  workload.iterations = 10;
  workload.measures = std::move(measures);
  return workload;
}

inline Result result_with(std::vector<WorkloadResult> workloads) {
  Result result;
  result.allocgate_version = "0.1.0";
  result.testbed = example_testbed();
  result.started_at = "2026-01-02T03:04:05Z";
  result.workloads = std::move(workloads);
  return result;
}

inline BaselineMeasure exact_measure(Count value) {
  BaselineMeasure measure;
  measure.value = value;
  return measure;
}

inline Baseline baseline_with(std::string workload, std::map<std::string, BaselineMeasure> measures) {
  Baseline baseline;
  baseline.suite = "suite";
  baseline.testbed = example_testbed();
  BaselineWorkload entry;
  entry.iterations = 10;
  entry.measures = std::move(measures);
  entry.updated_at = "2026-01-01T00:00:00Z";
  entry.commit = "c0ffee";
  entry.reason = "the first one";
  baseline.workloads.emplace(std::move(workload), std::move(entry));
  return baseline;
}

/// A result that uses every field of the format.
inline Result full_result() {
  Series live = linear_series(1, 2, 10);
  live.growth = 20;
  Series peak = spread_series(SeriesClass::noisy, 100, 164, 228);
  peak.unit = "bytes";
  peak.linear = false;
  peak.error_bound = 64;
  peak.p90 = 228;
  peak.repeat_spread = 7;
  Series third = exact_series(3);
  third.linear = true;
  third.slope = Slope{1, 3};
  third.setup = 0;
  WorkloadResult good = example_workload("asio/ping \"quoted\" \xC3\xA9", {{"allocations", linear_series(20021, 1, 10)},
                                                                           {"live_allocations", live},
                                                                           {"peak_live_bytes", peak},
                                                                           {"own_counter", third}});
  good.command = {"suite/asio", "--flag=a b"};
  good.gate = Gate::exact;
  good.depends_on = {"compiler"};
  good.notes = {"a note"};
  good.size_classes[0] = 5;
  good.size_classes[2] = 7;
  good.size_classes[k_size_classes - 1] = 1;
  good.processes = {{100, 1, "/usr/bin/program", ProcessEnd::exited, 0, {{"allocations", 200'211}}},
                    {101, 100, "/usr/bin/child", ProcessEnd::running, std::nullopt, {}}};
  WorkloadResult bad = example_workload("broken", {});
  bad.status = WorkloadStatus::timeout;
  bad.error = "it did not end within 5 s";
  bad.iterations = 1;
  Result result = result_with({bad, good});
  result.source = Source{"c0ffee", "main", true};
  result.duration_ns = 1'500'000'000;
  return result;
}

/// A baseline that uses every field of the format.
inline Baseline full_baseline() {
  BaselineMeasure exact = exact_measure(200'211);
  exact.slope = Slope{20021, 1};
  exact.threshold = Threshold{std::nullopt, 1500, 5};
  BaselineMeasure stable = exact_measure(1000);
  stable.series_class = SeriesClass::stable;
  stable.samples = {{1000, 2}, {1002, 1}};
  stable.threshold = Threshold{Threshold::Range{900, 1100}, std::nullopt, std::nullopt};
  BaselineMeasure leaking = exact_measure(-10);
  leaking.leak_accepted = true;
  Baseline baseline =
      baseline_with("asio/ping", {{"allocations", exact}, {"allocated_bytes", stable}, {"live_allocations", leaking}});
  baseline.workloads.at("asio/ping").gate = Gate::min;
  baseline.workloads.at("asio/ping").depends_on = {"compiler", "core.asio"};
  baseline.workloads.emplace("another", baseline.workloads.at("asio/ping"));
  return baseline;
}

/// A judgement that uses every field of the format.
inline Judgement full_judgement() {
  Judgement judgement;
  Verdict regression;
  regression.kind = VerdictKind::regression;
  regression.workload = "asio/ping";
  regression.measure = "allocations";
  regression.before = 200'211;
  regression.after = 200'221;
  regression.slope_before = Slope{20021, 1};
  regression.slope_after = Slope{20022, 1};
  regression.iterations = 10;
  regression.rule = ThresholdRule{"asio/*", "allocations", {std::nullopt, 0, 0}, ThresholdSource::command_line};
  regression.sentence = "asio/ping allocations: regression";
  regression.code = ExitCode::regression;
  Verdict ranged = regression;
  ranged.rule->threshold = {Threshold::Range{0, 5}, std::nullopt, std::nullopt};
  Verdict missing;
  missing.kind = VerdictKind::missing;
  missing.workload = "gone";
  missing.sentence = "gone: missing";
  missing.code = ExitCode::not_measured;
  judgement.verdicts = {regression, ranged, missing};
  judgement.notes = {"the kernel differs"};
  judgement.exit_code = ExitCode::regression;
  return judgement;
}

/// A comparison that uses every field of the format.
inline Comparison full_comparison() {
  Comparison comparison;
  comparison.labels = {"a.json", "b.json"};
  ComparisonRow row;
  row.workload = "asio/ping";
  row.measure = "allocations";
  row.unit = "count";
  row.cells = {ComparisonCell{10, 10, SeriesClass::exact, Slope{1, 1}},
               ComparisonCell{20, 10, SeriesClass::exact, Slope{2, 1}}};
  row.difference = 10;
  row.slope_difference = Slope{1, 1};
  comparison.rows = {row};
  comparison.testbed_differences = {{"kernel", "6.1", "6.2"}};
  comparison.notes = {"noop is not in b.json"};
  return comparison;
}

}  // namespace allocgate
