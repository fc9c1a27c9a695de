// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/documents.hpp"

#include "base/error.hpp"
#include "example_documents.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace allocgate {
namespace {

TEST(ResultDocument, GoesThereAndBack) {
  const std::string text = result_to_json(full_result());
  const Result read = result_from_json(text, "result.json");
  EXPECT_EQ(result_to_json(read), text);

  const Result full = full_result();
  const WorkloadResult& workload = *sorted_workloads(read).front();
  const WorkloadResult& written = *sorted_workloads(full).front();
  EXPECT_EQ(workload.name, written.name);
  EXPECT_EQ(workload.command, written.command);
  EXPECT_EQ(workload.gate, Gate::exact);
  EXPECT_EQ(workload.size_classes, written.size_classes);
  EXPECT_EQ(workload.measures.at("live_allocations").growth, 20);
  EXPECT_EQ(workload.measures.at("peak_live_bytes").error_bound, 64);
  EXPECT_EQ(workload.measures.at("own_counter").slope->iterations, 3u);
  EXPECT_EQ(workload.processes.at(1).end, ProcessEnd::running);
  EXPECT_FALSE(workload.processes.at(1).exit_code);
  EXPECT_EQ(read.source->dirty, true);
  EXPECT_EQ(read.testbed.fields, example_testbed().fields);
}

TEST(ConfigurationDocument, GoesThereAndBack) {
  const std::string text = configuration_to_json(full_configuration());
  const Configuration read = configuration_from_json(text, "allocgate.json");
  EXPECT_EQ(configuration_to_json(read), text);
  EXPECT_EQ(read.workloads.at(0).timeout_ms, 2500);
  EXPECT_EQ(read.workloads.at(1).command, (std::vector<std::string>{"sh", "-c", "ls | wc -l"}));
  EXPECT_EQ(read.workloads.at(1).iterations, 1u);
  EXPECT_EQ(read.overrides.at(0).gate, Gate::percent);
  EXPECT_EQ(read.thresholds.at(4).threshold.maximum_per_iteration_thousandths, 2000);
  EXPECT_EQ(read.thresholds.at(0).source, ThresholdSource::configuration);
  EXPECT_EQ(read.waivers.at(1).measure, "");
}

TEST(ConfigurationDocument, ATextIsACommandForTheShellAndWhatIsLeftOutHasADefault) {
  const Configuration read = configuration_from_json(
      R"({"schema": "allocgate.configuration/1", "workloads": [{"name": "sum", "command": "seq {iterations} | sort"}]})",
      "allocgate.json");
  EXPECT_EQ(read.workloads.at(0).command, (std::vector<std::string>{"sh", "-c", "seq {iterations} | sort"}));
  EXPECT_EQ(read.name, "commands");
  EXPECT_FALSE(read.build);
  EXPECT_FALSE(read.baselines);
}

TEST(ResultDocument, DoesNotDependOnTheOrderOfWorkloads) {
  Result reversed = full_result();
  std::reverse(reversed.workloads.begin(), reversed.workloads.end());
  EXPECT_EQ(result_to_json(reversed), result_to_json(full_result()));
}

TEST(ResultDocument, LeavesOutWhatWasNotMeasured) {
  const std::string text = result_to_json(result_with({example_workload("noop", {{"allocations", exact_series(0)}})}));
  for (const char* absent : {"null", "slope", "setup", "linear", "growth", "error", "gate", "source"}) {
    EXPECT_EQ(text.find(std::string("\"") + absent + "\""), std::string::npos) << absent;
  }
  EXPECT_EQ(text.find("null"), std::string::npos);
}

TEST(ResultDocument, KeepsTheGreatestIntegers) {
  constexpr Count k_greatest = std::numeric_limits<Count>::max();
  Series live = exact_series(std::numeric_limits<Count>::min());
  Result result =
      result_with({example_workload("edge", {{"allocations", exact_series(k_greatest)}, {"live_allocations", live}})});
  result.duration_ns = k_greatest;
  const Result read = result_from_json(result_to_json(result), "result.json");
  EXPECT_EQ(read.duration_ns, k_greatest);
  EXPECT_EQ(read.workloads[0].measures.at("allocations").median, k_greatest);
  EXPECT_EQ(read.workloads[0].measures.at("live_allocations").min, std::numeric_limits<Count>::min());
}

TEST(ResultDocument, PassesOverFieldsOfLaterMinorVersions) {
  std::string text = result_to_json(full_result());
  text.replace(text.find("  \"allocgate\""), 0, "  \"a_later_field\": {\"x\": [1, null]},\n");
  EXPECT_EQ(result_to_json(result_from_json(text, "result.json")), result_to_json(full_result()));
}

TEST(BaselineDocument, GoesThereAndBack) {
  const std::string text = baseline_to_json(full_baseline());
  const Baseline read = baseline_from_json(text, "baseline.json");
  EXPECT_EQ(baseline_to_json(read), text);
  const BaselineWorkload& workload = read.workloads.at("asio/ping");
  EXPECT_EQ(workload.gate, Gate::min);
  EXPECT_EQ(workload.reason, "the first one");
  const BaselineMeasure& exact = workload.measures.at("allocations");
  EXPECT_EQ(exact.threshold->thousandths, 1500);
  EXPECT_EQ(exact.threshold->absolute, 5);
  EXPECT_FALSE(exact.threshold->range);
  EXPECT_EQ(workload.measures.at("allocated_bytes").threshold->range->highest, 1100);
  EXPECT_EQ(workload.measures.at("allocated_bytes").samples.size(), 2u);
  EXPECT_TRUE(workload.measures.at("live_allocations").leak_accepted);
}

TEST(BaselineDocument, EveryThousandthOfAPercentSurvives) {
  for (const std::int64_t thousandths : {0, 1, 10, 333, 1000, 12'345, 99'999, 100'000, 1'000'001}) {
    Baseline baseline = full_baseline();
    baseline.workloads.at("asio/ping").measures.at("allocations").threshold->thousandths = thousandths;
    const Baseline read = baseline_from_json(baseline_to_json(baseline), "baseline.json");
    EXPECT_EQ(read.workloads.at("asio/ping").measures.at("allocations").threshold->thousandths, thousandths);
  }
}

TEST(JudgementDocument, SaysDifferencesAndTheRule) {
  const std::string text = judgement_to_json(full_judgement());
  EXPECT_NE(text.find("\"schema\": \"allocgate.judgement/1\""), std::string::npos);
  EXPECT_NE(text.find("\"delta\": 10"), std::string::npos);
  EXPECT_NE(text.find("\"text\": \"asio/* allocations: no increase (command line)\""), std::string::npos);
  EXPECT_NE(text.find("\"exit_code\": 2"), std::string::npos);
}

TEST(JudgementDocument, GoesThereAndBackButForTheRules) {
  Judgement judgement = full_judgement();
  for (Verdict& verdict : judgement.verdicts) {
    verdict.rule.reset();
  }
  const std::string text = judgement_to_json(judgement);
  EXPECT_EQ(judgement_to_json(judgement_from_json(text, "judgement.json")), text);
}

TEST(JudgementDocument, OfOneCodeAndVerdictsOfAnotherIsRefused) {
  std::string text = judgement_to_json(full_judgement());
  const std::string code = "\"exit_code\": 2";
  text.replace(text.find(code), code.size(), "\"exit_code\": 0");
  EXPECT_THROW(judgement_from_json(text, "judgement.json"), Error);
}

}  // namespace
}  // namespace allocgate
