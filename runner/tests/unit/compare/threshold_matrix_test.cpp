// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors

// Every kind of threshold, from nothing and from something, one below its limit, exactly at it and one above it. The
// limits are worked out by hand.
#include "compare/judge.hpp"

#include "compare/rules.hpp"
#include "compare/thresholds.hpp"
#include "example_documents.hpp"
#include "model/names.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <ostream>

namespace allocgate {
namespace {

Threshold each(std::int64_t thousandths) {
  Threshold threshold;
  threshold.per_iteration_thousandths = thousandths;
  return threshold;
}
Threshold maximum(Count most) {
  Threshold threshold;
  threshold.maximum = most;
  return threshold;
}
Threshold maximum_each(std::int64_t thousandths) {
  Threshold threshold;
  threshold.maximum_per_iteration_thousandths = thousandths;
  return threshold;
}

struct Limit {
  std::string what;
  Threshold threshold;
  Count before;
  Count limit;  // the greatest total of 10 iterations that is allowed
};

std::ostream& operator<<(std::ostream& stream, const Limit& limit) {
  return stream << limit.what << " from " << limit.before << " to " << limit.limit;
}

constexpr std::uint64_t k_iterations = 10;

// A series on a line, with a slope that need not be whole: `total` events in 10 iterations and none once.
Series on_a_line(Count total) {
  Series series = exact_series(total);
  series.linear = true;
  series.slope = total == 0 ? Slope{0, 1} : Slope{total, k_iterations};
  series.setup = 0;
  return series;
}

Verdict judged(const Threshold& threshold, Count before, Series series, bool with_slope, ThresholdSource source) {
  BaselineMeasure measure = exact_measure(before);
  if (with_slope) {
    measure.slope = before == 0 ? Slope{0, 1} : Slope{before, k_iterations};
  } else {
    series.linear = false;
    series.slope.reset();
    series.setup.reset();
  }
  JudgeOptions options;
  if (source == ThresholdSource::baseline) {
    measure.threshold = threshold;
  } else {
    options.rules = {{"ping", "allocations", threshold, source}};
  }
  const Result result = result_with({example_workload("ping", {{"allocations", std::move(series)}})});
  return judge(result, {baseline_with("ping", {{"allocations", measure}})}, options).verdicts.at(0);
}

class EveryThreshold : public testing::TestWithParam<Limit> {};

TEST_P(EveryThreshold, AllowsItsLimitAndNothingAbove) {
  const Limit& limit = GetParam();
  for (const ThresholdSource source :
       {ThresholdSource::command_line, ThresholdSource::baseline, ThresholdSource::configuration}) {
    for (const bool with_slope : {true, false}) {
      const auto kind_at = [&](Count after) {
        const Verdict verdict = judged(limit.threshold, limit.before, on_a_line(after), with_slope, source);
        EXPECT_EQ(verdict.code, verdict.kind == VerdictKind::regression ? ExitCode::regression : ExitCode::fine);
        EXPECT_EQ(verdict.rule->source, source) << verdict.sentence;
        return verdict.kind;
      };
      EXPECT_EQ(kind_at(limit.limit), VerdictKind::unchanged) << name_of(source) << with_slope;
      EXPECT_EQ(kind_at(limit.limit + 1), VerdictKind::regression) << name_of(source) << with_slope;
      const bool is_allowed_rise = limit.limit > limit.before || needs_no_baseline(limit.threshold);
      if (limit.limit > 0 && is_allowed_rise) {
        EXPECT_EQ(kind_at(limit.limit - 1), VerdictKind::unchanged) << name_of(source) << with_slope;
      } else if (limit.limit > 0) {
        EXPECT_EQ(kind_at(limit.limit - 1), VerdictKind::improvement) << name_of(source) << with_slope;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, EveryThreshold,
    testing::Values(Limit{"nothing more", absolute(0), 0, 0}, Limit{"nothing more", absolute(0), 100, 100},
                    Limit{"5 more", absolute(5), 0, 5}, Limit{"5 more", absolute(5), 100, 105},
                    Limit{"0 %", percent(0), 0, 0}, Limit{"0 %", percent(0), 100, 100},
                    Limit{"10 %", percent(10'000), 0, 0}, Limit{"10 %", percent(10'000), 100, 110},
                    Limit{"10 %", percent(10'000), 109, 119}, Limit{"0.001 %", percent(1), 100'000, 100'001},
                    Limit{"10 % or 5", both(10'000, 5), 0, 5}, Limit{"10 % or 5", both(10'000, 5), 40, 45},
                    Limit{"10 % or 5", both(10'000, 5), 100, 110}, Limit{"90 to 110", range(90, 110), 0, 110},
                    Limit{"90 to 110", range(90, 110), 100, 110}, Limit{"90 to 110", range(90, 110), 500, 110},
                    Limit{"0 to 0", range(0, 0), 0, 0}, Limit{"nothing more each", each(0), 0, 0},
                    Limit{"nothing more each", each(0), 100, 100}, Limit{"0.5 more each", each(500), 0, 5},
                    Limit{"0.5 more each", each(500), 100, 105}, Limit{"0.55 more each", each(550), 100, 105},
                    Limit{"0.001 more each", each(1), 100, 100}, Limit{"at most 7", maximum(7), 0, 7},
                    Limit{"at most 7", maximum(7), 5, 7}, Limit{"at most 7", maximum(7), 100, 7},
                    Limit{"at most 0", maximum(0), 0, 0}, Limit{"at most 0.7 each", maximum_each(700), 0, 7},
                    Limit{"at most 0.7 each", maximum_each(700), 5, 7},
                    Limit{"at most 0.75 each", maximum_each(750), 100, 7}));

TEST(ThresholdPerIteration, DoesNotLookAtWhatHappensOnce) {
  Series after = linear_series(3, 1000, k_iterations);
  BaselineMeasure before = exact_measure(30);
  before.slope = Slope{3, 1};
  JudgeOptions options;
  options.rules = {{"", "allocations", each(0), ThresholdSource::configuration}};
  const Baseline baseline = baseline_with("ping", {{"allocations", before}});
  EXPECT_EQ(
      judge(result_with({example_workload("ping", {{"allocations", after}})}), {baseline}, options).verdicts.at(0).kind,
      VerdictKind::unchanged);
  after.slope = Slope{3001, 1000};
  EXPECT_EQ(
      judge(result_with({example_workload("ping", {{"allocations", after}})}), {baseline}, options).verdicts.at(0).kind,
      VerdictKind::regression)
      << "one more in a thousand iterations";
}

TEST(ThresholdPerIteration, IsExactAtTheGreatestIntegers) {
  constexpr Count k_greatest = std::numeric_limits<Count>::max();
  const Observed before{0, 1, std::nullopt};
  const auto change = [&](std::int64_t thousandths, Count after, std::uint64_t iterations) {
    return change_under(each(thousandths), Better::lower, before, {after, iterations, std::nullopt});
  };
  EXPECT_EQ(change(k_greatest, k_greatest, 1000), Change::within);
  EXPECT_EQ(change(k_greatest, k_greatest, 999), Change::worse);
  EXPECT_EQ(change_under(each(0), Better::higher, before, {1, 1, std::nullopt}), Change::better);
  EXPECT_EQ(change_under(each(0), Better::neither, before, {-1, 1, std::nullopt}), Change::worse);
}

TEST(WithoutBaseline, OnlyMaximaAndLeaksAreJudged) {
  Series leaking = linear_series(2, 0, k_iterations);
  leaking.growth = 40;
  const Result result = result_with({example_workload(
      "ping",
      {{"allocations", exact_series(8)}, {"allocated_bytes", exact_series(9)}, {"live_allocations", leaking}})});
  JudgeOptions options;
  options.without_baseline = true;
  options.rules = {{"ping", "allocations", maximum(7), ThresholdSource::command_line},
                   {"ping", "open_fds", maximum(0), ThresholdSource::command_line}};
  const Judgement judgement = judge(result, {}, options);
  ASSERT_EQ(judgement.verdicts.size(), 3u);
  EXPECT_EQ(judgement.verdicts[0].kind, VerdictKind::regression);
  EXPECT_EQ(judgement.verdicts[0].sentence,
            "ping allocations: regression, 8 in 10 iterations; rule: ping allocations: at most 7 (command line)");
  EXPECT_EQ(judgement.verdicts[1].kind, VerdictKind::leak);
  EXPECT_EQ(judgement.verdicts[2].kind, VerdictKind::missing) << "a maximum that nothing is held against";
  EXPECT_EQ(judgement.verdicts[2].measure, "open_fds");

  options.rules = {{"ping", "live_allocations", maximum_each(2000), ThresholdSource::command_line}};
  EXPECT_EQ(judge(result, {}, options).exit_code, ExitCode::fine) << "a maximum by name accepts the growth";
  options.rules = {{"ping", "live_allocations", maximum_each(1999), ThresholdSource::command_line}};
  EXPECT_EQ(judge(result, {}, options).exit_code, ExitCode::regression);
}

}  // namespace
}  // namespace allocgate
