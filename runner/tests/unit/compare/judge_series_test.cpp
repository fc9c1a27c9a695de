// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/judge_series.hpp"

#include "example_documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>

namespace allocgate {
namespace {

using testing::HasSubstr;

constexpr const char* k_workload = "asio/ping";

// One series of one workload against one entry; the defaults are an exact series that did not change.
struct Setting {
  std::string measure = "allocations";
  Series after = exact_series(100);
  std::optional<BaselineMeasure> before = exact_measure(100);
  std::optional<Gate> gate;
  JudgeOptions options;
  bool comparable = true;
  std::uint64_t iterations = 10;
};

Verdict judge(const Setting& setting) {
  WorkloadResult workload = example_workload(k_workload, {{setting.measure, setting.after}});
  workload.gate = setting.gate;
  workload.iterations = setting.iterations;
  std::map<std::string, BaselineMeasure> measures;
  if (setting.before) {
    measures.emplace(setting.measure, *setting.before);
  }
  const Baseline baseline = baseline_with(k_workload, measures);
  return judge_series({workload, setting.measure, setting.after, &baseline.workloads.at(k_workload), setting.comparable,
                       setting.options});
}

BaselineMeasure measure_of(SeriesClass series_class, Count value) {
  BaselineMeasure measure = exact_measure(value);
  measure.series_class = series_class;
  return measure;
}

ThresholdRule typed(std::string workload, std::string measure, Threshold threshold) {
  return {std::move(workload), std::move(measure), threshold, ThresholdSource::command_line};
}

struct Expected {
  std::string what;
  Setting setting;
  VerdictKind kind;
  ExitCode code;
};

// Names the case in the test's output.
std::ostream& operator<<(std::ostream& stream, const Expected& expected) {
  return stream << expected.what;
}

class SeriesVerdict : public testing::TestWithParam<Expected> {};

TEST_P(SeriesVerdict, IsAsExpected) {
  const Expected& expected = GetParam();
  const Verdict verdict = judge(expected.setting);
  EXPECT_EQ(verdict.kind, expected.kind) << verdict.sentence;
  EXPECT_EQ(verdict.code, expected.code) << verdict.sentence;
  EXPECT_THAT(verdict.sentence, HasSubstr(k_workload));
  EXPECT_THAT(verdict.sentence, HasSubstr(expected.setting.measure));
}

Setting from_to(Count before, Count after) {
  Setting setting;
  setting.before = exact_measure(before);
  setting.after = exact_series(after);
  return setting;
}

Setting with_rule(Setting setting, const ThresholdRule& rule) {
  setting.options.rules.push_back(rule);
  return setting;
}

Setting with_gate(Setting setting, Gate gate) {
  setting.gate = gate;
  return setting;
}

Setting of_measure(Setting setting, const std::string& measure) {
  setting.measure = measure;
  return setting;
}

Setting spread(SeriesClass series_class, Count low, Count middle, Count high,
               SeriesClass before_class = SeriesClass::exact) {
  Setting setting;
  setting.before = measure_of(before_class, 1000);
  setting.after = spread_series(series_class, low, middle, high);
  return setting;
}

Setting changed(Setting setting, const std::function<void(Setting&)>& change) {
  change(setting);
  return setting;
}

const Threshold k_range_to_10{Threshold::Range{0, 10}, std::nullopt, std::nullopt};
const Threshold k_five{std::nullopt, std::nullopt, 5};
const Threshold k_two_percent{std::nullopt, 2000, std::nullopt};

INSTANTIATE_TEST_SUITE_P(
    Exact, SeriesVerdict,
    testing::Values(
        Expected{"equal", from_to(100, 100), VerdictKind::unchanged, ExitCode::fine},
        Expected{"one more", from_to(100, 101), VerdictKind::regression, ExitCode::regression},
        Expected{"one less", from_to(100, 99), VerdictKind::improvement, ExitCode::fine},
        Expected{"from nothing", from_to(0, 1), VerdictKind::regression, ExitCode::regression},
        Expected{"nothing still", from_to(0, 0), VerdictKind::unchanged, ExitCode::fine},
        Expected{"percent of nothing is nothing", with_rule(from_to(0, 1), typed("", "", k_two_percent)),
                 VerdictKind::regression, ExitCode::regression},
        Expected{"within five", with_rule(from_to(0, 5), typed("", "", k_five)), VerdictKind::unchanged,
                 ExitCode::fine},
        Expected{"above five", with_rule(from_to(0, 6), typed("", "", k_five)), VerdictKind::regression,
                 ExitCode::regression},
        Expected{"one less within five is still less", with_rule(from_to(100, 99), typed("", "", k_five)),
                 VerdictKind::improvement, ExitCode::fine},
        Expected{"improvement that fails",
                 changed(from_to(100, 99), [](Setting& s) { s.options.on_improvement = OnImprovement::fail; }),
                 VerdictKind::improvement, ExitCode::improvement},
        Expected{"improvement that warns",
                 changed(from_to(100, 99), [](Setting& s) { s.options.on_improvement = OnImprovement::warn; }),
                 VerdictKind::improvement, ExitCode::fine}));

INSTANTIATE_TEST_SUITE_P(
    ZeroWhereThereWasSomething, SeriesVerdict,
    testing::Values(
        Expected{"allocations", from_to(100, 0), VerdictKind::blind, ExitCode::blind},
        Expected{"allocated bytes", of_measure(from_to(100, 0), "allocated_bytes"), VerdictKind::blind,
                 ExitCode::blind},
        Expected{"within a range all the same", with_rule(from_to(100, 0), typed("", "allocations", k_range_to_10)),
                 VerdictKind::blind, ExitCode::blind},
        Expected{"live allocations may go away", of_measure(from_to(1, 0), "live_allocations"),
                 VerdictKind::improvement, ExitCode::fine},
        Expected{"descriptors may go away", of_measure(from_to(1, 0), "open_fds"), VerdictKind::improvement,
                 ExitCode::fine},
        Expected{"accepted by series",
                 changed(from_to(100, 0), [](Setting& s) { s.options.accepted_blind = {"asio/ping:allocations"}; }),
                 VerdictKind::improvement, ExitCode::fine},
        Expected{"accepted by workload",
                 changed(from_to(100, 0), [](Setting& s) { s.options.accepted_blind = {"asio/ping"}; }),
                 VerdictKind::improvement, ExitCode::fine},
        Expected{"another one accepted",
                 changed(from_to(100, 0),
                         [](Setting& s) {
                           s.options.accepted_blind = {"asio/ping:allocated_bytes", "noop"};
                         }),
                 VerdictKind::blind, ExitCode::blind}));

INSTANTIATE_TEST_SUITE_P(
    NotExact, SeriesVerdict,
    testing::Values(
        Expected{"stable within 1 %", spread(SeriesClass::stable, 1009, 1010, 1011), VerdictKind::unchanged,
                 ExitCode::fine},
        Expected{"stable above 1 %", spread(SeriesClass::stable, 1010, 1011, 1012), VerdictKind::regression,
                 ExitCode::regression},
        Expected{"stable a little less", spread(SeriesClass::stable, 989, 990, 991), VerdictKind::unchanged,
                 ExitCode::fine},
        Expected{"stable clearly less", spread(SeriesClass::stable, 988, 989, 990), VerdictKind::improvement,
                 ExitCode::fine},
        Expected{"exact now, stable then",
                 changed(from_to(1000, 1010), [](Setting& s) { s.before = measure_of(SeriesClass::stable, 1000); }),
                 VerdictKind::unchanged, ExitCode::fine},
        Expected{"noisy is not gated", spread(SeriesClass::noisy, 1000, 2000, 3000), VerdictKind::not_gated,
                 ExitCode::fine},
        Expected{"noisy then is not gated",
                 changed(from_to(1000, 2000), [](Setting& s) { s.before = measure_of(SeriesClass::noisy, 1000); }),
                 VerdictKind::not_gated, ExitCode::fine},
        Expected{"noisy with a rule is gated",
                 with_rule(spread(SeriesClass::noisy, 1000, 2000, 3000), typed("", "", k_two_percent)),
                 VerdictKind::regression, ExitCode::regression},
        Expected{"noisy within its rule",
                 with_rule(spread(SeriesClass::noisy, 900, 1020, 1100), typed("", "", k_two_percent)),
                 VerdictKind::unchanged, ExitCode::fine}));

INSTANTIATE_TEST_SUITE_P(
    Declared, SeriesVerdict,
    testing::Values(
        Expected{"none is not gated", with_gate(from_to(100, 200), Gate::none), VerdictKind::not_gated, ExitCode::fine},
        Expected{"none with a rule for measures is not gated",
                 with_rule(with_gate(from_to(100, 200), Gate::none), typed("", "allocations", k_five)),
                 VerdictKind::not_gated, ExitCode::fine},
        Expected{"none with a rule that names it is gated",
                 with_rule(with_gate(from_to(100, 200), Gate::none), typed("asio/*", "", k_five)),
                 VerdictKind::regression, ExitCode::regression},
        Expected{"exact that is stable", with_gate(spread(SeriesClass::stable, 999, 1000, 1001), Gate::exact),
                 VerdictKind::unstable, ExitCode::not_measured},
        Expected{"exact that is noisy", with_gate(spread(SeriesClass::noisy, 900, 1000, 1100), Gate::exact),
                 VerdictKind::unstable, ExitCode::not_measured},
        Expected{"exact that is stable and worse",
                 with_gate(spread(SeriesClass::stable, 1999, 2000, 2001), Gate::exact), VerdictKind::regression,
                 ExitCode::regression},
        Expected{"percent that is noisy is a line",
                 with_gate(spread(SeriesClass::noisy, 900, 1000, 1100), Gate::percent), VerdictKind::unstable,
                 ExitCode::fine},
        Expected{"percent allows 1 %", with_gate(from_to(100, 101), Gate::percent), VerdictKind::unchanged,
                 ExitCode::fine},
        Expected{"percent does not allow 2 %", with_gate(from_to(100, 102), Gate::percent), VerdictKind::regression,
                 ExitCode::regression},
        Expected{"min looks at the minimum", with_gate(spread(SeriesClass::noisy, 1010, 2000, 3000), Gate::min),
                 VerdictKind::unchanged, ExitCode::fine},
        Expected{"min that is worse", with_gate(spread(SeriesClass::noisy, 1011, 2000, 3000), Gate::min),
                 VerdictKind::regression, ExitCode::regression}));

Setting leaking(Gate gate = Gate::exact) {
  Setting setting;
  setting.measure = "live_allocations";
  setting.gate = gate;
  setting.after = linear_series(1, 0, 10);
  setting.before = exact_measure(10);
  return setting;
}

INSTANTIATE_TEST_SUITE_P(
    Leaks, SeriesVerdict,
    testing::Values(Expected{"whatever the baseline", leaking(), VerdictKind::leak, ExitCode::regression},
                    Expected{"without a baseline", changed(leaking(), [](Setting& s) { s.before = std::nullopt; }),
                             VerdictKind::leak, ExitCode::regression},
                    Expected{"also where not comparable", changed(leaking(), [](Setting& s) { s.comparable = false; }),
                             VerdictKind::leak, ExitCode::regression},
                    Expected{"also within a range", with_rule(leaking(), typed("", "live_allocations", k_range_to_10)),
                             VerdictKind::leak, ExitCode::regression},
                    Expected{"accepted by name", changed(leaking(), [](Setting& s) { s.before->leak_accepted = true; }),
                             VerdictKind::unchanged, ExitCode::fine},
                    Expected{"accepted and worse",
                             changed(leaking(),
                                     [](Setting& s) {
                                       s.before->leak_accepted = true;
                                       s.after = linear_series(2, 0, 10);
                                     }),
                             VerdictKind::regression, ExitCode::regression},
                    Expected{"growth without a line",
                             changed(leaking(),
                                     [](Setting& s) {
                                       s.after = exact_series(10);
                                       s.after.linear = false;
                                       s.after.growth = 3;
                                     }),
                             VerdictKind::leak, ExitCode::regression},
                    Expected{"kept once is no leak",
                             changed(leaking(),
                                     [](Setting& s) {
                                       s.after = linear_series(0, 10, 10);
                                       s.after.growth = 0;
                                     }),
                             VerdictKind::unchanged, ExitCode::fine},
                    Expected{"not where the workload is not gated", leaking(Gate::none), VerdictKind::not_gated,
                             ExitCode::fine}));

INSTANTIATE_TEST_SUITE_P(
    OtherMeasures, SeriesVerdict,
    testing::Values(
        Expected{"advisory is not gated", of_measure(from_to(100, 200), "peak_live_bytes"), VerdictKind::not_gated,
                 ExitCode::fine},
        Expected{"advisory is not gated by a rule for everything",
                 with_rule(of_measure(from_to(100, 200), "peak_live_bytes"), typed("", "", k_five)),
                 VerdictKind::not_gated, ExitCode::fine},
        Expected{"advisory is gated by a rule that names it",
                 with_rule(of_measure(from_to(100, 200), "peak_live_bytes"), typed("", "peak_live_bytes", k_five)),
                 VerdictKind::regression, ExitCode::regression},
        Expected{"deallocations are not gated", of_measure(from_to(100, 200), "deallocations"), VerdictKind::not_gated,
                 ExitCode::fine},
        Expected{"a program's own counter is not gated", of_measure(from_to(100, 200), "requests"),
                 VerdictKind::not_gated, ExitCode::fine},
        Expected{
            "a threshold in the baseline names its measure",
            changed(of_measure(from_to(100, 200), "peak_live_bytes"), [](Setting& s) { s.before->threshold = k_five; }),
            VerdictKind::regression, ExitCode::regression},
        Expected{"a measure that is new", changed(from_to(0, 5), [](Setting& s) { s.before = std::nullopt; }),
                 VerdictKind::new_workload, ExitCode::fine},
        Expected{"a measure that is new, strictly",
                 changed(from_to(0, 5),
                         [](Setting& s) {
                           s.before = std::nullopt;
                           s.options.strict = true;
                         }),
                 VerdictKind::new_workload, ExitCode::no_baseline},
        Expected{"a range needs no baseline",
                 changed(with_rule(from_to(0, 11), typed("", "allocations", k_range_to_10)),
                         [](Setting& s) { s.before = std::nullopt; }),
                 VerdictKind::regression, ExitCode::regression},
        Expected{"a rule for what the baseline does not keep",
                 changed(with_rule(of_measure(from_to(0, 5), "peak_live_bytes"), typed("", "peak_live_bytes", k_five)),
                         [](Setting& s) { s.before = std::nullopt; }),
                 VerdictKind::new_workload, ExitCode::no_baseline},
        Expected{"not comparable is shown only", changed(from_to(100, 200), [](Setting& s) { s.comparable = false; }),
                 VerdictKind::not_comparable, ExitCode::fine}));

Setting at_iterations(std::uint64_t iterations, const Series& after) {
  Setting setting;
  setting.iterations = iterations;
  setting.after = after;
  setting.before = exact_measure(201);
  setting.before->slope = Slope{20, 1};
  return setting;
}

INSTANTIATE_TEST_SUITE_P(
    OtherIterations, SeriesVerdict,
    testing::Values(Expected{"a line has a value anywhere", at_iterations(1000, linear_series(20, 1, 1000)),
                             VerdictKind::unchanged, ExitCode::fine},
                    Expected{"and is judged there", at_iterations(1000, linear_series(21, 1, 1000)),
                             VerdictKind::regression, ExitCode::regression},
                    Expected{"no line, not comparable", at_iterations(1000, exact_series(20'001)),
                             VerdictKind::not_comparable, ExitCode::not_comparable},
                    Expected{"warned of only",
                             changed(at_iterations(1000, exact_series(20'001)),
                                     [](Setting& s) { s.options.warn_not_comparable = true; }),
                             VerdictKind::not_comparable, ExitCode::fine}));

TEST(SeriesSentence, NamesOldNewDifferencePerIterationRuleAndSource) {
  Setting setting;
  setting.before = exact_measure(200'211);
  setting.before->slope = Slope{20'021, 1};
  setting.after = linear_series(20'022, 1, 10);
  EXPECT_EQ(judge(setting).sentence,
            "asio/ping allocations: regression, 200 211 -> 200 221 in 10 iterations (+10, +1 per iteration); rule: no "
            "increase (default)");
  setting.options.rules = {typed("asio/*", "allocations", k_five)};
  EXPECT_THAT(judge(setting).sentence, HasSubstr("rule: asio/* allocations: at most 5 more (command line)"));
  setting.options.rules.clear();
  setting.before->threshold = k_five;
  EXPECT_THAT(judge(setting).sentence, HasSubstr("rule: asio/ping allocations: at most 5 more (baseline)"));
}

TEST(SeriesSentence, TellsOnceFromPerIteration) {
  Setting setting;
  setting.before = exact_measure(200);
  setting.before->slope = Slope{20, 1};
  setting.after = linear_series(20, 3, 10);
  EXPECT_THAT(judge(setting).sentence, HasSubstr("200 -> 203 in 10 iterations (+3, all of it once)"));
}

TEST(SeriesSentence, SaysWhatTheSameTotalHides) {
  Setting setting;
  setting.before = exact_measure(210);
  setting.before->slope = Slope{20, 1};
  setting.after = linear_series(21, 0, 10);
  EXPECT_THAT(judge(setting).sentence,
              HasSubstr("unchanged, 210 in 10 iterations (the same total, but 21 per iteration where there were 20)"));
}

TEST(SeriesSentence, SaysFromNothingAndNegativeLive) {
  EXPECT_THAT(judge(from_to(0, 3)).sentence, HasSubstr("regression from nothing"));
  EXPECT_THAT(judge(of_measure(from_to(-5, -5), "live_allocations")).sentence,
              HasSubstr("negative, because blocks from before the window were freed in it"));
}

TEST(SeriesSentence, SaysWhyItIsNotGated) {
  EXPECT_THAT(judge(spread(SeriesClass::noisy, 900, 1000, 1100)).sentence,
              HasSubstr("not gated: its values are noisy, from 900 to 1 100 (exact in the baseline)"));
  EXPECT_THAT(judge(with_gate(from_to(1, 2), Gate::none)).sentence, HasSubstr("declares gate none"));
  EXPECT_THAT(judge(of_measure(from_to(1, 2), "peak_live_bytes")).sentence, HasSubstr("advisory"));
}

TEST(MissingSeries, IsAFailureWhereItWasGated) {
  const Baseline baseline =
      baseline_with(k_workload, {{"open_fds", exact_measure(0)}, {"peak_live_bytes", exact_measure(9)}});
  const WorkloadResult workload = example_workload(k_workload, {});
  const BaselineWorkload& entry = baseline.workloads.at(k_workload);
  const auto verdict = judge_missing_series(workload, "open_fds", entry, {});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->kind, VerdictKind::missing);
  EXPECT_EQ(verdict->code, ExitCode::not_measured);
  EXPECT_FALSE(judge_missing_series(workload, "peak_live_bytes", entry, {}));
}

}  // namespace
}  // namespace allocgate
