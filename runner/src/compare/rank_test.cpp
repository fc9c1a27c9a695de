// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/rank_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace allocgate {

namespace {

constexpr std::uint64_t k_most_exact = 60;

/// Values of both sides that are equal. `rank` is twice their mean rank, to stay whole.
struct TieGroup {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::uint64_t rank = 0;

  [[nodiscard]] std::uint64_t size() const { return before + after; }
};

std::vector<TieGroup> ranked(std::span<const Sample> before, std::span<const Sample> after) {
  std::map<Count, TieGroup> by_value;
  for (const Sample& sample : before) {
    by_value[sample.value].before += sample.times;
  }
  for (const Sample& sample : after) {
    by_value[sample.value].after += sample.times;
  }
  std::vector<TieGroup> groups;
  std::uint64_t below = 0;
  for (auto& [value, group] : by_value) {
    group.rank = 2 * below + group.size() + 1;
    below += group.size();
    groups.push_back(group);
  }
  return groups;
}

double binomial(std::uint64_t n, std::uint64_t k) {
  double result = 1;
  for (std::uint64_t i = 0; i < k; ++i) {
    result = result * static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  return result;
}

/// The share of all ways to choose `count` of the ranked values whose rank sum is at least as far from its mean as
/// `sum` is. Sums are of doubled ranks.
double exact_p(const std::vector<TieGroup>& groups, std::uint64_t count, std::uint64_t total, std::uint64_t sum) {
  const std::uint64_t most = 2 * total * count;
  std::vector<std::vector<double>> ways(count + 1, std::vector<double>(most + 1, 0.0));
  ways[0][0] = 1;
  for (const TieGroup& group : groups) {
    // Downwards, so that a group is taken once.
    for (std::uint64_t chosen = count; chosen > 0; --chosen) {
      for (std::uint64_t taken = 1; taken <= std::min(group.size(), chosen); ++taken) {
        const double choices = binomial(group.size(), taken);
        const std::uint64_t shift = taken * group.rank;
        const std::vector<double>& from = ways[chosen - taken];
        for (std::uint64_t at = shift; at <= most; ++at) {
          ways[chosen][at] += choices * from[at - shift];
        }
      }
    }
  }
  const auto mean = static_cast<std::int64_t>(count * (total + 1));
  const std::int64_t distance = std::abs(static_cast<std::int64_t>(sum) - mean);
  double extreme = 0;
  for (std::uint64_t at = 0; at <= most; ++at) {
    if (std::abs(static_cast<std::int64_t>(at) - mean) >= distance) {
      extreme += ways[count][at];
    }
  }
  return std::min(1.0, extreme / binomial(total, count));
}

double normal_p(const std::vector<TieGroup>& groups, double before, double after, double u) {
  const double total = before + after;
  double ties = 0;
  for (const TieGroup& group : groups) {
    const auto size = static_cast<double>(group.size());
    ties += size * size * size - size;
  }
  const double variance = before * after / 12 * ((total + 1) - ties / (total * (total - 1)));
  if (variance <= 0) {
    return 1;
  }
  const double distance = std::max(0.0, std::abs(u - before * after / 2) - 0.5);
  return std::erfc(distance / std::sqrt(2 * variance));
}

}  // namespace

std::optional<RankTest> rank_test(std::span<const Sample> before, std::span<const Sample> after) {
  const std::vector<TieGroup> groups = ranked(before, after);
  RankTest test;
  std::uint64_t doubled_sum_after = 0;
  for (const TieGroup& group : groups) {
    test.before += group.before;
    test.after += group.after;
    doubled_sum_after += group.after * group.rank;
  }
  if (test.before == 0 || test.after == 0) {
    return std::nullopt;
  }
  const auto pairs = static_cast<double>(test.before) * static_cast<double>(test.after);
  const double u = (static_cast<double>(doubled_sum_after) - static_cast<double>(test.after * (test.after + 1))) / 2;
  test.effect = 2 * u / pairs - 1;
  const std::uint64_t total = test.before + test.after;
  test.p = total <= k_most_exact
               ? exact_p(groups, test.after, total, doubled_sum_after)
               : normal_p(groups, static_cast<double>(test.before), static_cast<double>(test.after), u);
  test.adjusted_p = test.p;
  return test;
}

void adjust_by_holm(std::span<RankTest*> tests) {
  std::vector<RankTest*> ascending(tests.begin(), tests.end());
  std::stable_sort(ascending.begin(), ascending.end(),
                   [](const RankTest* left, const RankTest* right) { return left->p < right->p; });
  double largest = 0;
  auto left = static_cast<double>(ascending.size());
  for (RankTest* test : ascending) {
    largest = std::max(largest, std::min(1.0, left * test->p));
    test->adjusted_p = largest;
    const double smallest_p = 2 / binomial(test->before + test->after, test->after);
    test->can_decide = smallest_p * static_cast<double>(ascending.size()) <= RankTest::k_level;
    --left;
  }
}

std::string describe(const RankTest& test) {
  return fmt::format("p = {:.2g} by ranks, effect {:+.2f}, {} and {} processes", test.adjusted_p, test.effect,
                     test.before, test.after);
}

}  // namespace allocgate
