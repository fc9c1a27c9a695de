// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/baseline.hpp"
#include "model/comparison.hpp"
#include "model/configuration.hpp"
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
  entry.stacks = "0123456789abcdef";
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
  good.does_not_depend_on = {"size"};
  good.layers = {{"codec", "http/parse", 2}, {"core", "asio/ping_pong", 1}};
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
  BaselineMeasure each = exact_measure(20);
  each.threshold.emplace().per_iteration_thousandths = 500;
  BaselineMeasure most = exact_measure(3);
  most.threshold.emplace().maximum = 4;
  BaselineMeasure most_each = exact_measure(7);
  most_each.threshold.emplace().maximum_per_iteration_thousandths = 2000;
  BaselineMeasure leaking = exact_measure(-10);
  leaking.leak_accepted = true;
  Baseline baseline = baseline_with("asio/ping", {{"allocations", exact},
                                                  {"allocated_bytes", stable},
                                                  {"live_allocations", leaking},
                                                  {"deallocations", each},
                                                  {"open_fds", most},
                                                  {"reallocations", most_each}});
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
  regression.suite = "asio";
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
  regression.next = NextSteps{"allocgate check", "allocgate run --details", "allocgate baseline update"};
  Verdict ranged = regression;
  ranged.rule->threshold = {Threshold::Range{0, 5}, std::nullopt, std::nullopt};
  ranged.rank_test = RankTest{10, 9, 0.011, 0.022, 0.75, true};
  ranged.place = SourcePlace{"src/ping.cpp", 12, "ping"};
  ranged.explanation = "+1 ping\n";
  Verdict missing;
  missing.kind = VerdictKind::missing;
  missing.workload = "gone";
  missing.sentence = "gone: missing";
  missing.code = ExitCode::not_measured;
  Verdict each = regression;
  each.rule->threshold = {};
  each.rule->threshold.per_iteration_thousandths = 500;
  Verdict most = regression;
  most.rule->threshold = {};
  most.rule->threshold.maximum = 5;
  Verdict most_each = regression;
  most_each.rule->threshold = {};
  most_each.rule->threshold.maximum_per_iteration_thousandths = 5;
  Verdict waived = regression;
  waived.code = ExitCode::fine;
  waived.waiver = Waiver{"asio/*", "allocations", "2026-12-31", "Ada", "the new parser is not ready"};
  Verdict family = missing;
  family.kind = VerdictKind::regression;
  family.workload = "parse/size:*";
  family.argument = "size";
  family.code = ExitCode::regression;
  judgement.verdicts = {regression, ranged, each, most, most_each, waived, missing, family};
  judgement.notes = {"the kernel differs"};
  judgement.exit_code = ExitCode::regression;
  return judgement;
}

/// A configuration that uses every field of the format.
inline Configuration full_configuration() {
  Configuration configuration;
  configuration.name = "tools";
  configuration.build = "cmake --build build";
  configuration.baselines = "ci/baselines";
  configuration.suites = {"build/parse_bench", "build/net_bench"};
  ConfiguredWorkload copy;
  copy.name = "copy";
  copy.command = {"./copy", "{iterations}"};
  copy.iterations = 100;
  copy.gate = Gate::exact;
  copy.depends_on = {"compiler"};
  copy.timeout_ms = 2500;
  copy.exercises = "copies a file";
  ConfiguredWorkload list;
  list.name = "list";
  list.command = {"sh", "-c", "ls | wc -l"};
  configuration.workloads = {copy, list};
  configuration.overrides = {{"parse/*", Gate::percent, {"compiler"}}};
  const auto rule = [](std::string workload, std::string measure, Threshold threshold) {
    return ThresholdRule{std::move(workload), std::move(measure), threshold, ThresholdSource::configuration};
  };
  Threshold each;
  each.per_iteration_thousandths = 500;
  Threshold most;
  most.maximum = 10;
  Threshold most_each;
  most_each.maximum_per_iteration_thousandths = 2000;
  configuration.thresholds = {
      rule("", "", {std::nullopt, 1500, 5}), rule("copy", "", {Threshold::Range{-1, 9}, std::nullopt, std::nullopt}),
      rule("", "allocated_bytes", each), rule("copy", "allocations", most), rule("parse/*", "allocations", most_each)};
  configuration.waivers = {{"parse/*", "allocations", "2026-12-31", "Ada", "the new parser is not ready"},
                           {"copy", "", "2027-02-28", "Bob", "it is to go"}};
  return configuration;
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
  FamilySeries line;
  line.points = {{"f/1", 1, {3, 1}}, {"f/2", 2, {7, 2}}};
  line.line = FamilyLine{{5, 2}, {1, 2}};
  FamilySeries none;
  none.totals = true;
  none.iterations = 10;
  none.points = {{"f/1", 1, {3, 1}}, {"f/2", 2, {4, 1}}};
  none.reason = "2 values of n are always on a line";
  ComparisonFamily family;
  family.family = "f/*";
  family.argument = "argument 1";
  family.measure = "allocations";
  family.cells = {line, none};
  comparison.families = {family};
  ComparisonStack stack;
  stack.workload = "http/requests";
  stack.measure = "allocations";
  stack.cells = {Slope{20, 1}, Slope{21, 1}};
  stack.layers = {{{"codec", "http/parse", 2}, {Slope{10, 1}, Slope{10, 1}}},
                  {{"core", "asio/ping_pong", 1}, {Slope{1, 2}, std::nullopt}}};
  stack.rest = {Slope{19, 2}, std::nullopt};
  comparison.stacks = {stack};
  comparison.testbed_differences = {{"kernel", "6.1", "6.2"}};
  comparison.notes = {"noop is not in b.json"};
  return comparison;
}

}  // namespace allocgate
