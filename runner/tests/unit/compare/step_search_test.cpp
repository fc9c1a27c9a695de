// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/step_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>

namespace allocgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Points with known values, some of which cannot be measured; counts how often it was asked.
class Line {
public:
  explicit Line(std::vector<int> values) : m_values(std::move(values)) {}

  void break_points(std::size_t begin, std::size_t end) {
    for (std::size_t point = begin; point < end; ++point) {
      m_broken.insert(point);
    }
  }

  SearchEnd search(const SearchPlan& plan = {}) {
    m_asked = {0, m_values.size() - 1};
    m_rounds = 0;
    const PointQuestions questions{[this](std::span<const std::size_t> points) {
                                     ++m_rounds;
                                     std::vector<bool> answers;
                                     for (const std::size_t point : points) {
                                       EXPECT_TRUE(m_asked.insert(point).second) << point << " was asked twice";
                                       answers.push_back(!m_broken.contains(point));
                                     }
                                     return answers;
                                   },
                                   [this](std::size_t left, std::size_t right) {
                                     EXPECT_LT(left, right);
                                     EXPECT_TRUE(m_asked.contains(left) && m_asked.contains(right)) << "not measured";
                                     return m_values[left] != m_values[right];
                                   }};
    return find_steps(m_values.size(), plan, questions);
  }

  /// Of the last search, with the two ends.
  [[nodiscard]] std::size_t measured() const { return m_asked.size(); }
  [[nodiscard]] std::size_t rounds() const { return m_rounds; }

private:
  std::vector<int> m_values;
  std::set<std::size_t> m_broken;
  std::set<std::size_t> m_asked;
  std::size_t m_rounds = 0;
};

std::vector<std::size_t> places(const SearchEnd& end) {
  std::vector<std::size_t> places;
  for (const FoundStep& step : end.steps) {
    places.push_back(step.after);
  }
  return places;
}

/// `count` values that change at each of `steps`, to a value of its own each.
std::vector<int> values_with(std::size_t count, const std::set<std::size_t>& steps) {
  std::vector<int> values;
  int value = 0;
  for (std::size_t point = 0; point < count; ++point) {
    value += steps.contains(point) ? 1 : 0;
    values.push_back(value);
  }
  return values;
}

TEST(FindSteps, NothingChangedCostsNothing) {
  Line line(std::vector<int>(100, 7));
  EXPECT_THAT(line.search().steps, IsEmpty());
  EXPECT_EQ(line.measured(), 2U);
}

TEST(FindSteps, FindsEachOfSeveral) {
  Line line(values_with(200, {1, 50, 51, 199}));
  EXPECT_THAT(places(line.search()), ElementsAre(1, 50, 51, 199));
}

TEST(FindSteps, NeighboursNeedNothingBetween) {
  Line line({1, 2});
  const SearchEnd end = line.search();
  ASSERT_EQ(end.steps.size(), 1U);
  EXPECT_EQ(end.steps.front().before, 0U);
  EXPECT_EQ(end.steps.front().after, 1U);
  EXPECT_THAT(end.steps.front().skipped, IsEmpty());
}

TEST(FindSteps, StepsThatCancelNeedAGrid) {
  std::vector<int> values(101, 5);
  std::fill(values.begin() + 40, values.begin() + 60, 6);
  Line line(values);
  EXPECT_THAT(line.search().steps, IsEmpty());
  EXPECT_THAT(places(line.search({.grid = 4})), ElementsAre(40, 60));
}

TEST(FindSteps, AGridFinerThanThePointsAsksEachOnce) {
  Line line(values_with(5, {2}));
  EXPECT_THAT(places(line.search({.grid = 50})), ElementsAre(2));
  EXPECT_EQ(line.measured(), 5U);
}

TEST(FindSteps, ABrokenPointIsPassedOver) {
  Line line(values_with(100, {30}));
  line.break_points(49, 50);
  const SearchEnd end = line.search();
  EXPECT_THAT(places(end), ElementsAre(30));
  EXPECT_THAT(end.steps.front().skipped, IsEmpty());
  EXPECT_THAT(end.skipped, ElementsAre(49));
}

TEST(FindSteps, ALongBrokenRangeAwayFromTheStepIsNotTriedWhole) {
  Line line(values_with(1000, {100}));
  line.break_points(400, 700);
  EXPECT_THAT(places(line.search()), ElementsAre(100));
  EXPECT_LE(line.measured(), 20U);
}

TEST(FindSteps, AStepInABrokenRangeIsARange) {
  Line line(values_with(100, {52}));
  line.break_points(50, 54);
  const SearchEnd end = line.search();
  ASSERT_EQ(end.steps.size(), 1U);
  EXPECT_EQ(end.steps.front().before, 49U);
  EXPECT_EQ(end.steps.front().after, 54U);
  EXPECT_THAT(end.steps.front().skipped, ElementsAre(50, 51, 52, 53));
}

TEST(FindSteps, SeveralAtOnceFindTheSameInFewerRounds) {
  Line line(values_with(1000, {123, 456, 789}));
  const std::vector<std::size_t> one = places(line.search());
  const std::size_t rounds = line.rounds();
  EXPECT_EQ(places(line.search({.jobs = 4})), one);
  EXPECT_LT(line.rounds(), rounds);
}

struct Budget {
  std::size_t steps;
  std::size_t most;
  std::size_t mean;
};

class FindStepsBudget : public ::testing::TestWithParam<Budget> {};

// Commits measured among 1000, with both ends, over 1000 placements.
TEST_P(FindStepsBudget, IsKept) {
  constexpr std::size_t k_points = 1001;  // a good end and 1000 commits after it
  const auto [steps, most, mean] = GetParam();
  std::uint64_t sum = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    std::mt19937 random(seed);
    std::set<std::size_t> placed;
    while (placed.size() < steps) {
      placed.insert(1 + random() % (k_points - 1));
    }
    Line line(values_with(k_points, placed));
    ASSERT_EQ(places(line.search()), std::vector<std::size_t>(placed.begin(), placed.end())) << "seed " << seed;
    EXPECT_LE(line.measured(), most) << "seed " << seed;
    sum += line.measured();
  }
  EXPECT_LE(sum, mean * 1000);
}

INSTANTIATE_TEST_SUITE_P(Over1000Commits, FindStepsBudget,
                         ::testing::Values(Budget{1, 13, 12}, Budget{3, 30, 28}, Budget{8, 66, 59}));

}  // namespace
}  // namespace allocgate
