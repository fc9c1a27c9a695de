// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/rank_test.hpp"

#include "compare/judge.hpp"
#include "example_documents.hpp"
#include "model/series.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

namespace allocgate {
namespace {

using ::testing::HasSubstr;

std::vector<Sample> samples_of(std::vector<Count> values) {
  std::vector<Sample> samples;
  std::sort(values.begin(), values.end());
  for (const Count value : values) {
    if (samples.empty() || samples.back().value != value) {
      samples.push_back({value, 0});
    }
    ++samples.back().times;
  }
  return samples;
}

/// How often a value of `after` wins over one of `before`, a tie counting half; doubled, to stay whole.
int doubled_u(const std::vector<Count>& before, const std::vector<Count>& after) {
  int wins = 0;
  for (const Count late : after) {
    for (const Count early : before) {
      wins += late > early ? 2 : late == early ? 1 : 0;
    }
  }
  return wins;
}

/// The definition, by going through every way to deal the values to the two sides.
double p_by_enumeration(const std::vector<Count>& before, const std::vector<Count>& after) {
  std::vector<Count> all = before;
  all.insert(all.end(), after.begin(), after.end());
  const int middle = static_cast<int>(before.size() * after.size());
  const int distance = std::abs(doubled_u(before, after) - middle);
  int extreme = 0;
  int ways = 0;
  for (unsigned chosen = 0; chosen < 1U << all.size(); ++chosen) {
    if (static_cast<std::size_t>(std::popcount(chosen)) != after.size()) {
      continue;
    }
    std::vector<Count> one;
    std::vector<Count> other;
    for (std::size_t i = 0; i < all.size(); ++i) {
      ((chosen >> i & 1U) != 0 ? other : one).push_back(all[i]);
    }
    ++ways;
    extreme += std::abs(doubled_u(one, other) - middle) >= distance ? 1 : 0;
  }
  return static_cast<double>(extreme) / ways;
}

TEST(RankTest, IsThePermutationTestAlsoWithTies) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Count> before(1 + random() % 5);
    std::vector<Count> after(1 + random() % 6);
    for (auto* side : {&before, &after}) {
      std::generate(side->begin(), side->end(), [&random] { return static_cast<Count>(random() % 5); });
    }
    const auto test = rank_test(samples_of(before), samples_of(after));
    ASSERT_TRUE(test);
    EXPECT_NEAR(test->p, p_by_enumeration(before, after), 1e-12);
    const auto pairs = static_cast<double>(before.size() * after.size());
    EXPECT_NEAR(test->effect, doubled_u(before, after) / pairs - 1, 1e-12);
    EXPECT_EQ(test->before, before.size());
    EXPECT_EQ(test->after, after.size());
  }
}

TEST(RankTest, ApproximatesWhereThereAreMany) {
  std::vector<Count> before;
  std::vector<Count> after;
  for (Count i = 0; i < 30; ++i) {
    before.push_back(i);
    after.push_back(i + 6);
  }
  const double exact = rank_test(samples_of(before), samples_of(after))->p;
  before.push_back(15);
  after.push_back(21);
  EXPECT_NEAR(rank_test(samples_of(before), samples_of(after))->p, exact, 0.006) << "62 values";
  EXPECT_EQ(rank_test(samples_of(std::vector<Count>(40, 5)), samples_of(std::vector<Count>(40, 5)))->p, 1);
}

TEST(RankTest, NeedsBothSides) {
  EXPECT_FALSE(rank_test({}, samples_of({1})));
  EXPECT_FALSE(rank_test(samples_of({1}), {}));
}

TEST(AdjustByHolm, StepsDownAndStaysInOrder) {
  std::vector<RankTest> tests(4);
  const std::vector<double> p = {0.04, 0.01, 0.03, 0.005};
  std::vector<RankTest*> pointers;
  for (std::size_t i = 0; i < p.size(); ++i) {
    tests[i].p = p[i];
    tests[i].before = tests[i].after = 10;
    pointers.push_back(&tests[i]);
  }
  adjust_by_holm(pointers);
  EXPECT_NEAR(tests[3].adjusted_p, 0.02, 1e-12);
  EXPECT_NEAR(tests[1].adjusted_p, 0.03, 1e-12);
  EXPECT_NEAR(tests[2].adjusted_p, 0.06, 1e-12);
  EXPECT_NEAR(tests[0].adjusted_p, 0.06, 1e-12) << "never below a smaller one";
}

TEST(AdjustByHolm, TooFewProcessesCannotDecide) {
  RankTest few;
  few.before = few.after = 3;  // the smallest p is 1 in 10
  RankTest some;
  some.before = some.after = 5;  // 1 in 126
  std::vector<RankTest*> both = {&few, &some};
  adjust_by_holm(both);
  EXPECT_FALSE(few.can_decide);
  EXPECT_TRUE(some.can_decide);
  std::vector<RankTest*> seven(7, &some);
  adjust_by_holm(seven);
  EXPECT_FALSE(some.can_decide) << "7 in 126 is more than 5 %";
}

/// One workload whose stable values go from `before` to `after`, judged with the 1 % that they have by default.
Verdict judged(std::vector<Count> before, std::vector<Count> after, std::optional<Gate> gate = std::nullopt) {
  BaselineMeasure measure = exact_measure(0);
  measure.series_class = SeriesClass::stable;
  measure.samples = samples_of(std::move(before));
  measure.value = lower_median(measure.samples);
  measure.slope.reset();
  Series series = exact_series(0);
  series.series_class = SeriesClass::stable;
  series.samples = samples_of(std::move(after));
  series.median = lower_median(series.samples);
  series.linear = false;
  series.slope.reset();
  series.setup.reset();
  Result result = result_with({example_workload("w", {{"allocations", series}})});
  result.workloads.front().gate = gate;
  return judge(result, {baseline_with("w", {{"allocations", measure}})}, {}).verdicts.front();
}

TEST(JudgeByRanks, AChangeBeyondTheThresholdThatChanceExplainsIsNone) {
  const Verdict verdict = judged({100, 100, 100, 103, 103, 103}, {100, 100, 103, 103, 103, 103});
  EXPECT_EQ(verdict.kind, VerdictKind::unchanged) << verdict.sentence;
  EXPECT_THAT(verdict.sentence, HasSubstr("no more than chance"));
  EXPECT_THAT(verdict.sentence, HasSubstr("effect +0.17, 6 and 6 processes"));
}

TEST(JudgeByRanks, ASignificantChangeIsARegression) {
  const Verdict verdict = judged({100, 100, 100, 100, 101}, {103, 103, 103, 103, 104});
  EXPECT_EQ(verdict.kind, VerdictKind::regression) << verdict.sentence;
  EXPECT_THAT(verdict.sentence, HasSubstr("effect +1.00"));
}

TEST(JudgeByRanks, TooFewProcessesLeaveItToTheThreshold) {
  const Verdict verdict = judged({100, 100, 103}, {100, 103, 103});
  EXPECT_EQ(verdict.kind, VerdictKind::regression) << verdict.sentence;
  EXPECT_THAT(verdict.sentence, HasSubstr("too few to tell from chance"));
}

TEST(JudgeByRanks, ASignificantChangeWithinTheThresholdIsNone) {
  const Verdict verdict = judged({1000, 1000, 1000, 1000, 1001}, {1003, 1003, 1003, 1003, 1003});
  EXPECT_EQ(verdict.kind, VerdictKind::unchanged) << verdict.sentence;
}

TEST(JudgeByRanks, ChanceDoesNotExcuseAWorkloadThatDeclaresExact) {
  const Verdict verdict = judged({100, 100, 100, 103, 103, 103}, {100, 100, 103, 103, 103, 103}, Gate::exact);
  EXPECT_EQ(verdict.kind, VerdictKind::unstable) << verdict.sentence;
}

}  // namespace
}  // namespace allocgate
