// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/rules.hpp"

#include "compare/thresholds.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace allocgate {
namespace {

constexpr Count k_greatest = std::numeric_limits<Count>::max();
constexpr Count k_smallest = std::numeric_limits<Count>::min();

// The greatest value that is still allowed, going from `before`.
struct Limit {
  Threshold threshold;
  Count before;
  Count greatest;
};

class ThresholdMatrix : public testing::TestWithParam<Limit> {};

TEST_P(ThresholdMatrix, ExactlyAtIsAllowedAndOneAboveIsWorse) {
  const auto& [threshold, before, greatest] = GetParam();
  EXPECT_EQ(change_under(threshold, Better::lower, before, greatest), Change::within);
  EXPECT_EQ(change_under(threshold, Better::lower, before, greatest + 1), Change::worse);
}

TEST_P(ThresholdMatrix, HoldsTheOtherWayRoundWhereHigherIsBetter) {
  const auto& [threshold, before, greatest] = GetParam();
  if (threshold.range) {
    return;  // a range has two ends of its own
  }
  const Count least = before - (greatest - before);
  EXPECT_EQ(change_under(threshold, Better::higher, before, least), Change::within);
  EXPECT_EQ(change_under(threshold, Better::higher, before, least - 1), Change::worse);
  EXPECT_EQ(change_under(threshold, Better::lower, before, least), Change::within);
  EXPECT_EQ(change_under(threshold, Better::lower, before, least - 1), Change::better);
  EXPECT_EQ(change_under(threshold, Better::neither, before, least - 1), Change::worse);
  EXPECT_EQ(change_under(threshold, Better::neither, before, greatest + 1), Change::worse);
}

INSTANTIATE_TEST_SUITE_P(
    Limits, ThresholdMatrix,
    testing::Values(Limit{{}, 0, 0}, Limit{{}, 100, 100}, Limit{absolute(0), 100, 100}, Limit{absolute(5), 0, 5},
                    Limit{absolute(5), 100, 105}, Limit{percent(1000), 0, 0}, Limit{percent(1000), 99, 99},
                    Limit{percent(1000), 100, 101}, Limit{percent(1000), 199, 200}, Limit{percent(1000), 200, 202},
                    Limit{percent(1), 99'999, 99'999}, Limit{percent(1), 100'000, 100'001},
                    Limit{percent(1500), 1000, 1015}, Limit{percent(333), 1000, 1003}, Limit{percent(100'000), 7, 14},
                    Limit{both(1000, 5), 0, 5}, Limit{both(1000, 5), 100, 105}, Limit{both(1000, 5), 1000, 1010},
                    Limit{percent(1000), -100, -99}, Limit{range(0, 0), 50, 0}, Limit{range(0, 120), 100, 120},
                    Limit{percent(1000), 9'000'000'000'000'000'000, 9'090'000'000'000'000'000}));

TEST(ChangeUnder, NearTheGreatestIntegerNothingOverflows) {
  EXPECT_EQ(change_under(percent(1000), Better::lower, k_greatest, k_greatest), Change::within);
  EXPECT_EQ(change_under({}, Better::lower, k_smallest, k_greatest), Change::worse);
  EXPECT_EQ(change_under({}, Better::lower, k_greatest, k_smallest), Change::better);
  EXPECT_EQ(change_under(absolute(k_greatest), Better::lower, 0, k_greatest), Change::within);
  EXPECT_EQ(change_under(absolute(k_greatest), Better::lower, -1, k_greatest), Change::worse);
  EXPECT_EQ(change_under(percent(1'000'000'000'000), Better::lower, k_greatest, k_greatest), Change::within);
  EXPECT_EQ(change_under({}, Better::lower, k_greatest - 1, k_greatest), Change::worse);
}

TEST(ChangeUnder, ARangeDoesNotLookBack) {
  EXPECT_EQ(change_under(range(10, 20), Better::lower, 1000, 21), Change::worse);
  EXPECT_EQ(change_under(range(10, 20), Better::lower, 1000, 9), Change::better);
  EXPECT_EQ(change_under(range(10, 20), Better::lower, 0, 15), Change::within);
  EXPECT_EQ(change_under(range(10, 20), Better::higher, 0, 9), Change::worse);
  EXPECT_EQ(change_under(range(10, 20), Better::higher, 0, 21), Change::better);
  EXPECT_EQ(change_under(range(10, 20), Better::neither, 0, 21), Change::worse);
  EXPECT_EQ(change_under(range(10, 20), Better::neither, 0, 9), Change::worse);
}

ThresholdRule rule(std::string workload, std::string measure, Count amount, ThresholdSource source) {
  return {std::move(workload), std::move(measure), absolute(amount), source};
}

// The amount of the rule that wins for asio/ping and allocations; -1 where none applies.
Count winner(const std::vector<ThresholdRule>& rules, std::optional<Threshold> in_baseline = std::nullopt) {
  const auto found = written_rule("asio/ping", "allocations", rules, in_baseline);
  return found ? found->threshold.absolute.value_or(-2) : -1;
}

constexpr auto k_command_line = ThresholdSource::command_line;
constexpr auto k_configuration = ThresholdSource::configuration;

TEST(WrittenRule, TheMoreSpecificWins) {
  const ThresholdRule everything = rule("", "", 1, k_command_line);
  const ThresholdRule measure = rule("", "allocations", 2, k_configuration);
  const ThresholdRule workload = rule("asio/ping", "", 3, k_configuration);
  const ThresholdRule series = rule("asio/ping", "allocations", 4, k_configuration);
  EXPECT_EQ(winner({}), -1);
  EXPECT_EQ(winner({everything}), 1);
  EXPECT_EQ(winner({measure, everything}), 2);
  EXPECT_EQ(winner({workload, measure, everything}), 3);
  EXPECT_EQ(winner({series, workload, measure, everything}), 4);
  EXPECT_EQ(winner({everything, measure, workload, series}), 4);
  EXPECT_EQ(winner({rule("asio/*", "", 5, k_configuration), rule("", "allocations", 6, k_command_line)}), 5)
      << "a workload is more specific than a measure, whoever wrote it";
}

TEST(WrittenRule, WithinALevelTheCommandLineOverTheBaselineOverTheConfiguration) {
  const ThresholdRule typed = rule("asio/ping", "allocations", 1, k_command_line);
  const ThresholdRule configured = rule("asio/ping", "allocations", 3, k_configuration);
  EXPECT_EQ(winner({configured, typed}, absolute(2)), 1);
  EXPECT_EQ(winner({configured}, absolute(2)), 2);
  EXPECT_EQ(winner({rule("", "allocations", 1, k_command_line)}, absolute(2)), 2) << "the baseline's is more specific";
}

TEST(WrittenRule, OtherWorkloadsAndMeasuresDoNotApply) {
  EXPECT_EQ(winner({rule("asio/pong", "", 1, k_command_line), rule("", "allocated_bytes", 2, k_command_line)}), -1);
}

TEST(WrittenRule, ANameWinsOverAGlobAndTheLastOfEqualsWins) {
  const ThresholdRule glob = rule("asio/*", "", 1, k_command_line);
  const ThresholdRule name = rule("asio/ping", "", 2, k_command_line);
  EXPECT_EQ(winner({name, glob}), 2);
  EXPECT_EQ(winner({glob}), 1);
  EXPECT_EQ(winner({rule("", "", 1, k_command_line), rule("", "", 2, k_command_line)}), 2);
  EXPECT_EQ(winner({glob, rule("asio/ping", "", 2, k_configuration)}), 1)
      << "the source before the precision of a name";
}

TEST(BuiltInRule, FollowsTheClassAndWhatIsDeclared) {
  EXPECT_EQ(describe(built_in_rule(SeriesClass::exact, std::nullopt)), "no increase (default)");
  EXPECT_EQ(describe(built_in_rule(SeriesClass::exact, Gate::exact)), "no increase (default)");
  EXPECT_EQ(describe(built_in_rule(SeriesClass::stable, std::nullopt)), "at most 1 % more (default)");
  EXPECT_EQ(describe(built_in_rule(SeriesClass::exact, Gate::percent)), "at most 1 % more (default)");
}

TEST(IsAccepted, NamesAWorkloadOrOneSeries) {
  const std::vector<std::string> accepted = {"asio/ping", "noop:allocations"};
  EXPECT_TRUE(is_accepted(accepted, "asio/ping", "allocations"));
  EXPECT_TRUE(is_accepted(accepted, "asio/ping", ""));
  EXPECT_TRUE(is_accepted(accepted, "noop", "allocations"));
  EXPECT_FALSE(is_accepted(accepted, "noop", "allocated_bytes"));
  EXPECT_FALSE(is_accepted(accepted, "noop", ""));
}

}  // namespace
}  // namespace allocgate
